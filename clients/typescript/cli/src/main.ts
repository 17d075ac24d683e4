#!/usr/bin/env node
import { VERSION } from './version.ts';

// Before anything else is loaded: scripts ask for it often.
if (process.argv[2] === '--version') process.stdout.write(`${VERSION}\n`);
else {
  const { runClient } = await import('./run-client.ts');
  await runClient(process.argv.slice(2));
}
