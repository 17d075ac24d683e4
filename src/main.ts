#!/usr/bin/env node
import { VERSION } from './base/version.ts';
import { runCli } from './cli/run-cli.ts';

// Makes stack traces refer to the TypeScript sources.
process.setSourceMapsEnabled(true);

// Loaded on demand: `--help` must neither wait for a database nor fail if one does not load.
const server = () => import('./compose.ts');
const offline = () => import('./offline.ts');

const exitCode = await runCli(process.argv.slice(2), {
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
