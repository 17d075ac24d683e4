#!/usr/bin/env node
// Writes the table of docs/decisions/README.md from the pages. A page without a status gets "Accepted" and the date of its
// first commit, or of today. With `--check`, writes nothing and fails if a file would change.
//
//   node scripts/index-decisions.mjs [--check]
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIR = fileURLToPath(new URL('../docs/decisions/', import.meta.url));
const INDEX = join(DIR, 'README.md');
const isCheck = process.argv.includes('--check');

const rows = readdirSync(DIR)
  .filter((name) => /^\d{4}-.*\.md$/.test(name))
  .sort()
  .map(readPage);
const index = readFileSync(INDEX, 'utf8');
const table = index.indexOf('| number |');
write(INDEX, `${index.slice(0, table)}| number | title | status | date |\n|---|---|---|---|\n${rows.join('\n')}\n`);
console.log(`${rows.length} decisions`);

function readPage(name) {
  const path = join(DIR, name);
  const text = readFileSync(path, 'utf8');
  const number = name.slice(0, 4);
  const title = /^# (?:\d{4}:? )?(.+)/.exec(text)?.[1];
  if (!title) throw new Error(`${name} has no title`);
  const status = /^\*\*Status\.\*\* (.+), (\d{4}-\d\d-\d\d)\.$/m.exec(text);
  const [, state, date] = status ?? ['', 'Accepted', findDate(path)];
  const body = text
    .slice(text.indexOf('\n'))
    .replace(/^\*\*Status\.\*\*.*\n+/m, '')
    .trim();
  write(path, `# ${number}: ${title}\n\n**Status.** ${state}, ${date}.\n\n${body}\n`);
  return `| [${number}](${name}) | ${title} | ${state} | ${date} |`;
}

function write(path, text) {
  if (readFileSync(path, 'utf8') === text) return;
  if (!isCheck) return writeFileSync(path, text);
  console.error(`${path} is out of date. Run: node scripts/index-decisions.mjs`);
  process.exitCode = 1;
}

function findDate(path) {
  const { stdout } = spawnSync('git', ['log', '--diff-filter=A', '--format=%as', '--', path], {
    cwd: DIR,
    encoding: 'utf8',
  });
  return stdout.trim().split('\n').at(-1) || new Date().toISOString().slice(0, 10);
}
