import { createRequire } from 'node:module';
import { mapStackTraces } from './base/source-maps.ts';
import { VERSION } from './base/version.ts';
import { type ClientProgram, isForClient, SERVER_COMMANDS } from './cli/client-program.ts';

const args = process.argv.slice(2);
// Without `await`, which a module of CommonJS must not have here. Nothing handles a rejection, so it ends the process.
if (isForClient(args)) void runClientCommand();
else void runServerCommand();

async function runClientCommand(): Promise<void> {
  // By its address, because it is another package, which the bundle contains beside this file.
  const client: ClientProgram = createRequire(import.meta.url)('./client.cjs');
  await client.runClient(args, { serverCommands: SERVER_COMMANDS });
}

async function runServerCommand(): Promise<void> {
  mapStackTraces();

  // Loaded on demand: `--help` must neither wait for a database nor fail if one does not load.
  const server = () => import('./compose.ts');
  const offline = () => import('./offline.ts');
  const { runCli } = await import('./cli/run-cli.ts');

  const exitCode = await runCli(args, {
    commands: {
      version: VERSION,
      openServer: async (config, log, onFatal) => (await server()).compose({ config, log, onFatal }),
      migrate: async (config, log) => (await offline()).migrate(config, log),
      move: async (config, targetUrl, log, onProgress) => (await offline()).move(config, targetUrl, log, onProgress),
      adopt: async (config, log) => (await offline()).adoptDatabase(config, log),
      users: async (config, log) => (await import('./manage-stored-users.ts')).userCommands(config, log),
      rotateSecrets: async (config, log, onProgress) =>
        (await import('./rotate-stored-secrets.ts')).rotateStoredSecrets(config, log, onProgress),
      check: async (config) => (await import('./check-data.ts')).check(config),
    },
    terminal: {
      out: (line) => process.stdout.write(`${line}\n`),
      err: (line) => process.stderr.write(`${line}\n`),
    },
  });
  // Exits explicitly, because anything that is still open (a stuck query, a slow socket) must not keep the process
  // running.
  process.exit(exitCode);
}
