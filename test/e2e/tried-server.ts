import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type OtlpSender, openGrpcSender, openHttpSender } from './otlp-sender.ts';
import { type Ping, startPing } from './ping.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

/** What the tests of one `describe` try, once they run. */
export interface TriedServer {
  readonly server: ServerProcess;
  readonly http: OtlpSender;
  readonly grpc: OtlpSender;
}

/** HTTP engines of the server. The second one is the fallback when uWebSockets.js does not load. */
export const HTTP_ENGINES = ['uWebSockets.js', 'node:http'] as const;

const WITHOUT_UWEBSOCKETS = { NODE_OPTIONS: `--import=${new URL('./without-uwebsockets.js', import.meta.url).href}` };

/**
 * A server for all tests of the `describe` that calls this. Whatever they send, it must answer others all the while, live
 * through everything, and drain at the end.
 */
export function tryServer(
  env: Readonly<Record<string, string>> = {},
  engine: (typeof HTTP_ENGINES)[number] = 'uWebSockets.js',
): TriedServer {
  const tried = {} as { -readonly [Name in keyof TriedServer]: TriedServer[Name] };
  let dataDir: string;
  let ping: Ping;

  before(async () => {
    dataDir = await makeDataDir();
    tried.server = await startServer({
      dataDir,
      env: engine === 'node:http' ? { ...env, ...WITHOUT_UWEBSOCKETS } : env,
    });
    tried.http = openHttpSender(tried.server.url, 16, { sendsAgain: true });
    tried.grpc = openGrpcSender(tried.server.grpcAddress);
    const fallsBack = tried.server.output().includes('HTTP runs on node:http');
    if (engine === 'node:http') assert.ok(fallsBack, tried.server.output());
    ping = startPing(tried.server.url);
  });

  after(async () => {
    const { answered, failed } = await ping.stop();
    tried.http.close();
    tried.grpc.close();
    const exit = await tried.server.stop();
    await removeDataDir(dataDir);
    assert.ok(answered > 0 && failed === 0, `${failed} of ${answered + failed} pings were not answered`);
    assert.equal(exit.code, 0, 'it lived through everything and drained');
  });

  return tried;
}
