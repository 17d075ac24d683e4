import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { VendorEndpointSettings, VendorStatistics } from './vendor-endpoint.ts';

export type EndpointRequest =
  | { readonly type: 'statistics' }
  | { readonly type: 'configure'; readonly settings: Omit<VendorEndpointSettings, 'port'> };

export interface EndpointReply {
  readonly url: string;
  readonly statistics: VendorStatistics;
}

/** An endpoint in a process of its own, so that a bench does not measure its work. It answers as prompts ask. */
export interface EndpointProcess {
  readonly url: string;
  readonly pid: number;
  statistics(): Promise<VendorStatistics>;
  configure(settings: Omit<VendorEndpointSettings, 'port'>): Promise<void>;
  close(): Promise<void>;
}

export async function startEndpointProcess(settings: VendorEndpointSettings = {}): Promise<EndpointProcess> {
  const program = new URL('./main.js', import.meta.url);
  const child = fork(program, ['--settings', JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const nextReply = async (): Promise<EndpointReply> => {
    const [reply] = await Promise.race([
      once(child, 'message'),
      exited.then(([code]) => Promise.reject(new Error(`The endpoint's process ended with ${code}.`))),
    ]);
    return reply as EndpointReply;
  };
  const ask = (request: EndpointRequest): Promise<EndpointReply> => {
    const reply = nextReply();
    child.send(request);
    return reply;
  };
  const { url } = await nextReply();
  return {
    url,
    pid: child.pid as number,
    statistics: async () => (await ask({ type: 'statistics' })).statistics,
    async configure(changes) {
      await ask({ type: 'configure', settings: changes });
    },
    async close() {
      child.disconnect();
      await exited;
    },
  };
}
