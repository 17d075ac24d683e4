#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { runCli } from './cli/run-cli.ts';

// Stack traces name the TypeScript that people can read.
process.setSourceMapsEnabled(true);

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// Loaded when a command needs them: `--help` must not wait for a database, nor fail where one does not load.
const server = () => import('./compose.ts');
const offline = () => import('./offline.ts');

const exitCode = await runCli(process.argv.slice(2), {
  commands: {
    version,
    openServer: async (config, log) => (await server()).compose(config, { version, log }),
    migrate: async (config, log) => (await offline()).migrate(config, log),
    move: async (config, targetUrl, log) => (await offline()).move(config, targetUrl, log),
    check: async (config, log) => (await offline()).check(config, log),
  },
  terminal: {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  },
});
// Not left to the event loop: whatever is still open then (a stuck query, a socket that lingers) must not hold the process.
process.exit(exitCode);
