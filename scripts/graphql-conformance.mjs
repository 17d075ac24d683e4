#!/usr/bin/env node
// Runs the GraphQL conformance cases of a folder against a server:
//   node scripts/graphql-conformance.mjs FOLDER URL GROUP[,GROUP] [TOKEN]
// Cases in test/graphql-conformance-deviations.json, each with its reason, may fail; any other failure is one, and so is
// a listed case that passes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder, url, groups, token] = process.argv.slice(2);
const deviations = JSON.parse(
  readFileSync(new URL('../test/graphql-conformance-deviations.json', import.meta.url), 'utf8'),
);
const dir = mkdtempSync(join(tmpdir(), 'graphql-conformance-'));
try {
  const file = join(dir, 'results.json');
  const args = [
    join(folder, 'run.mjs'),
    '--url',
    url,
    '--only',
    groups,
    '--json',
    file,
    ...(token ? ['--token', token] : []),
  ];
  const { error } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error) throw error;
  const results = JSON.parse(readFileSync(file, 'utf8'));
  const isListed = (name) => Object.hasOwn(deviations, name);
  const wrong = results.filter((result) => result.ok === isListed(result.case));
  for (const { case: name, ok, message } of wrong) {
    console.log(ok ? `PASSES ${name}: it is listed as a deviation, and is none any more` : `FAIL ${name}: ${message}`);
  }
  const deviating = results.filter(({ ok }) => !ok).length;
  console.log(`${results.length - deviating} passed, ${deviating} failed, ${wrong.length} of all unexpectedly`);
  process.exitCode = wrong.length === 0 && results.length > 0 ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
