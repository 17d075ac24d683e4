import type { Config } from './config/config.ts';

/** URL at which users reach the server, without a slash at the end: the setting, or the address on which it listens. */
export interface RootUrl {
  get(): string;
  /** Called when the server listens, because a port may have been chosen only then. */
  listensAt(httpAddress: string): void;
}

export function createRootUrl({ rootUrl, http }: Pick<Config, 'rootUrl' | 'http'>): RootUrl {
  let address = `${http.tls === undefined ? 'http' : 'https'}://localhost:${http.port}`;
  return {
    get: () => rootUrl ?? address + http.rootPath,
    listensAt(httpAddress) {
      address = httpAddress;
    },
  };
}
