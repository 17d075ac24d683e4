#!/usr/bin/env node
// Starts the server: installs what is missing, builds what is stale, then becomes the server.
//
//   node scripts/start.mjs [flags of `spandrel serve`]
import { fileURLToPath } from 'node:url';
import { install, isInstallStale } from './install.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Spandrel needs Node.js 20.19 or later, and this is ${process.version}. Install a newer one and try again.`,
  );
  process.exit(2);
}

if (isInstallStale()) {
  timed('Installing packages', () => {
    const problem = install();
    if (problem !== undefined) fail(`Installing failed: ${problem}`);
  });
}

const { buildServer, buildWeb, isServerStale, isWebStale } = await import('./dist.mjs');
if (isServerStale()) timed('Building', () => buildServer() || fail('The build failed.'));
if (isWebStale())
  timed('Building the web interface', () => buildWeb() || fail('The build of the web interface failed.'));

// In this process, not in a child process: signals of the terminal, of npm and of a supervisor arrive once, the exit
// code is that of the server, and no process remains if this one is killed.
const main = new URL('../dist/server/main.js', import.meta.url);
process.argv = [process.argv[0], fileURLToPath(main), 'serve', ...process.argv.slice(2)];
await import(main.href);

function timed(what, run) {
  console.error(`${what} …`);
  const startedAt = performance.now();
  run();
  console.error(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
