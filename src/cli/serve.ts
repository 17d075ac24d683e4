import { type Log, openLog } from '../base/log.ts';
import type { Config, ConfigReading } from '../config/config.ts';
import { STOP_MS_MAX } from '../model/limits.ts';
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
  // Before anything is opened: a signal while starting must close what is open by then.
  const stop = watchForStop(log);
  const opening = commands.openServer(config, log);
  const opened = await opening.then(
    (server) => ({ server }),
    (error: unknown) => ({ error }),
  );
  if ('error' in opened) {
    stop.unwatch();
    log.debug({ error: opened.error }, 'The server cannot start');
    terminal.err(`spandrel: cannot start: ${explainStartupError(opened.error, config)}`);
    return EXIT.failure;
  }
  const { server } = opened;
  if (!stop.happened()) announce(server, config, commands.version, log, terminal);
  const reason = await Promise.race([stop.reason, failureOf(server)]);
  return end(server, reason, log).finally(() => stop.unwatch());
}

/** For a terminal a banner, for a collector one more line of JSON. */
function announce(server: RunningServer, config: Config, version: string, log: Log, terminal: Terminal): void {
  const { httpUrl, grpcAddress, metadataStore } = server;
  const { dataDir } = config.paths;
  if (config.log.form === 'json') {
    log.info({ version, httpUrl, grpcAddress, dataDir, metadataStore }, 'Spandrel is ready');
  } else {
    terminal.out(banner({ version, httpUrl: config.rootUrl ?? httpUrl, grpcAddress, dataDir, metadataStore }));
  }
}

const failureOf = async (server: RunningServer): Promise<StopReason> => ({
  kind: 'failure',
  error: await server.failed,
});

/** Closes the server, in bounded time. What is acknowledged is in the journal, so cutting this short loses nothing. */
async function end(server: RunningServer, reason: StopReason, log: Log): Promise<number> {
  if (reason.kind === 'failure') log.error({ err: reason.error }, `The server stops: ${reason.error.message}`);
  else log.info({}, `${reason.signal}: finishing requests in flight; a second signal ends at once`);
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`closing took longer than ${STOP_MS_MAX / 1000} s`)), STOP_MS_MAX);
  });
  try {
    await Promise.race([server.close(), timeout]);
    log.info({ ms: Math.round(performance.now() - startedAt) }, 'Stopped');
    return reason.kind === 'failure' ? EXIT.failure : EXIT.ok;
  } catch (error) {
    log.error({ err: error }, 'The server did not close in order; it will catch up from its journal at the next start');
    return EXIT.failure;
  } finally {
    clearTimeout(timer);
  }
}
