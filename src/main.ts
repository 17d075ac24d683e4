#!/usr/bin/env node
import { VERSION } from './base/version.ts';
import { runCli } from './cli/run-cli.ts';

// Stack traces name the TypeScript that people can read.
process.setSourceMapsEnabled(true);

// Loaded when a command needs them: `--help` must not wait for a database, nor fail where one does not load.
const server = () => import('./compose.ts');
const offline = () => import('./offline.ts');

const exitCode = await runCli(process.argv.slice(2), {
  commands: {
    version: VERSION,
    openServer: async (config, log, onFatal) => (await server()).compose({ config, log, onFatal }),
    migrate: async (config, log) => (await offline()).migrate(config, log),
    move: async (config, targetUrl, log, onProgress) => (await offline()).move(config, targetUrl, log, onProgress),
    adopt: async (config, log) => (await offline()).adoptDatabase(config, log),
    check: async (config) => (await import('./check-data.ts')).check(config),
  },
  terminal: {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  },
});
// Not left to the event loop: whatever is still open then (a stuck query, a socket that lingers) must not hold the process.
process.exit(exitCode);
