#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { VERSION } from './base/version.ts';
import { type ClientProgram, isForClient, SERVER_COMMANDS } from './cli/client-program.ts';

const args = process.argv.slice(2);
if (isForClient(args)) {
  // By its address, because it is another package, which the bundle contains beside this file.
  const client = (await import(new URL('./client.js', import.meta.url).href)) as ClientProgram;
  await client.runClient(args, { serverCommands: SERVER_COMMANDS });
} else {
  await runServerCommand();
}

async function runServerCommand(): Promise<void> {
  // Makes stack traces refer to the TypeScript sources.
  process.setSourceMapsEnabled(true);
  // Before threads start, which have the same flag. Without it, a heap grows to four times of what is alive (docs/decisions/0387).
  setFlagsFromString('--heap-growing-percent=60');

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
