#!/usr/bin/env node
// Calls the models of all vendors whose keys are set, by the tests that otherwise call an endpoint of their own:
//
//   OPENAI_API_KEY=… GEMINI_API_KEY=… npm run try-vendors
//
// Vendors without a key are skipped, and the names of their variables are printed. A variable TRY_<PROVIDER>_MODEL names
// another model than the small one that is called by default.
import { spawnSync } from 'node:child_process';
import { build, ROOT } from './dist.mjs';

if (!build()) process.exit(1);
const { connectToVendor, PROVIDER_CASES } = await import('../dist/test/api/playground/provider-cases.js');

let callable = 0;
for (const given of PROVIDER_CASES) {
  const connection = connectToVendor(given, process.env);
  if (!('missing' in connection)) callable++;
  const state =
    'missing' in connection ? `not called: set ${connection.missing.join(' and ')}` : `calls ${connection.model}`;
  console.log(`${given.name.padEnd(32)} ${state}`);
}
if (callable === 0) {
  console.log('\nNo vendor can be called: no key is set.');
  process.exit(2);
}
const { status } = spawnSync(process.execPath, ['scripts/test.mjs', 'api/playground/all-providers'], {
  cwd: ROOT,
  env: { ...process.env, TRY_VENDORS: '1' },
  stdio: 'inherit',
});
process.exit(status ?? 1);
