import { type Log, openLog } from '../base/log.ts';
import type { Config, ConfigReading } from '../config/config.ts';
import { STOP_MS_MAX } from '../model/limits/requests.ts';
import { banner } from './banner.ts';
import type { Commands, RunningServer, Terminal } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { explainStartupError } from './startup-error.ts';
import { type StopReason, watchForStop } from './stop-reason.ts';

/** Runs the server until a signal or a failure ends it, and resolves with the exit code. */
export async function serve(
  { config, warnings }: ConfigReading,
  commands: Commands,
  terminal: Terminal,
): Promise<number> {
  const log = openLog(config.log);
  for (const warning of warnings) log.warn({}, warning);
  // The watch starts before anything is opened, because a signal during the start must close what is open by then.
  const stop = watchForStop(log);
  const opened = await commands.openServer(config, log, stop.fail).then(
    (server) => ({ server }),
    (error: unknown) => ({ error }),
  );
  if ('error' in opened) {
    stop.unwatch();
    log.debug({ err: opened.error }, 'The server cannot start');
    terminal.err(`spandrel: cannot start: ${explainStartupError(opened.error, config)}`);
    return EXIT.failure;
  }
  const { server } = opened;
  if (!stop.happened()) announce(server, config, commands.version, log, terminal);
  const exitCode = await end(server, await stop.reason, log);
  stop.unwatch();
  return exitCode;
}

/** Prints a banner to a terminal, or one line of JSON for a log collector. */
function announce(server: RunningServer, config: Config, version: string, log: Log, terminal: Terminal): void {
  const facts = {
    version,
    httpUrl: config.rootUrl ?? server.httpAddress + config.http.rootPath,
    grpcAddress: server.grpcPort === undefined ? undefined : `${hostOf(config.grpc.host)}:${server.grpcPort}`,
    listensOn: listeningAddresses(server, config),
    signIn: describeSignIn(config),
    dataDir: config.paths.dataDir,
    metadataStore: server.metadataStore,
  };
  if (!config.access.enabled && !isLoopback(config.http.host)) {
    log.warn(
      { host: config.http.host },
      'Sign-in is off: anyone who reaches this address can read and change all data. Set SERVICE_ENABLE_AUTH, or SERVICE_HOST to 127.0.0.1',
    );
  }
  if (config.log.form === 'json') log.info(facts, 'Spandrel is ready');
  else terminal.out(banner(facts));
}

function describeSignIn({ access, http }: Config): string {
  if (access.enabled) return 'required';
  const people = isLoopback(http.host) ? 'uses this machine' : 'reaches these addresses';
  return `none: anyone who ${people} can read and change all data`;
}

function listeningAddresses({ httpAddress, grpcPort }: RunningServer, { http, grpc }: Config): string {
  const at = (host: string, port: string | number) => `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const addresses = `${at(http.host, httpAddress.slice(httpAddress.lastIndexOf(':') + 1))} (HTTP)`;
  const all = isEveryAddress(http.host) ? ', every network address of this machine' : '';
  return `${addresses}${grpcPort === undefined ? '' : ` and ${at(grpc.host, grpcPort)} (gRPC)`}${all}`;
}

const isEveryAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** An address that means all addresses cannot be opened in a browser. */
const hostOf = (host: string): string => (isEveryAddress(host) ? '127.0.0.1' : host);

/**
 * Closes the server in bounded time. The journal contains everything that was acknowledged, so an early end loses
 * nothing.
 */
async function end(server: RunningServer, reason: StopReason, log: Log): Promise<number> {
  if (reason.kind === 'failure') log.error({ err: reason.error }, 'The server stops because of an error');
  else log.info({ signal: reason.signal }, 'Finishing running requests; a second signal stops the server immediately');
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Closing took longer than ${STOP_MS_MAX / 1000} s`)), STOP_MS_MAX);
  });
  try {
    await Promise.race([server.close(), timeout]);
    log.info({ ms: Math.round(performance.now() - startedAt) }, 'Stopped');
    return reason.kind === 'failure' ? EXIT.failure : EXIT.ok;
  } catch (error) {
    log.error(
      { err: error },
      'The server did not close completely; it applies the rest of its journal at the next start',
    );
    return EXIT.failure;
  } finally {
    clearTimeout(timer);
  }
}
