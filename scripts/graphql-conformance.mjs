#!/usr/bin/env node
// Runs the GraphQL conformance cases of a folder against a server:
//   node scripts/graphql-conformance.mjs FOLDER URL GROUP[,GROUP] [TOKEN]
// Cases in test/graphql-conformance-deviations.json, each with its reason, may fail; any other failure is one, and so is
// a listed case that passes. Differences from the schema of the contract are those of test/graphql-schema-differences.json
// (docs/decisions/graphql.md), and no others.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder, url, groups, token] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const deviations = read('../test/graphql-conformance-deviations.json');
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
  const known = read('../test/graphql-schema-differences.json');
  const found = schemaDifferences();
  const other = [...known, ...found].filter((one) => known.includes(one) !== found.includes(one));
  for (const one of other)
    console.log(`${known.includes(one) ? 'IS NO DIFFERENCE any more' : 'FAIL, the schema differs'}: ${one}`);
  console.log(`${found.length} differences of the schema, ${other.length} of all unexpectedly`);
  process.exitCode = wrong.length === 0 && results.length > 0 && other.length === 0 ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function schemaDifferences() {
  const args = [join(folder, 'schema-diff.mjs'), '--url', url, '--json', ...(token ? ['--token', token] : [])];
  const { error, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error) throw error;
  // A line of text follows the JSON.
  const { missing, differing } = JSON.parse(stdout.slice(0, stdout.lastIndexOf('}') + 1));
  return [...missing, ...differing];
}
