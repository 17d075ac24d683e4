#!/usr/bin/env node
// Copies of the ready-made judges and of the model prices in the packages of the evaluation library, so that each package can
// be built and installed alone. The TypeScript package has the texts in modules, because programs for browsers and bundlers
// cannot read files.
//
//   node scripts/copy-judges.mjs           writes the copies
//   node scripts/copy-judges.mjs --check   fails when one is stale
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './dist.mjs';

const COMMAND = 'node scripts/copy-judges.mjs';
const PYTHON = 'clients/python/evals/spandrel_evals/data';
const TYPESCRIPT = 'clients/typescript/evals/src/generated';
const PYTHON_JUDGES = `${PYTHON}/judges`;
const isCheck = process.argv.includes('--check');

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const names = readdirSync(join(ROOT, 'config/judges')).sort();
const judges = Object.fromEntries(names.map((name) => [name, read(`config/judges/${name}`)]));
const prices = read('config/model-prices.json');

const wanted = {
  ...Object.fromEntries(names.map((name) => [`${PYTHON_JUDGES}/${name}`, judges[name]])),
  [`${PYTHON}/model-prices.json`]: prices,
  [`${TYPESCRIPT}/judges.ts`]: toModule('config/judges, by name', 'JUDGE_FILES: Readonly<Record<string, string>>', [
    ...names.map((name) => `  ${name.slice(0, -'.json'.length)}: ${JSON.stringify(judges[name])},`),
  ]),
  [`${TYPESCRIPT}/model-prices.ts`]: `${header('config/model-prices.json')}export const MODEL_PRICES_FILE: string = ${JSON.stringify(prices)};\n`,
};

for (const [path, text] of Object.entries(wanted)) {
  const target = join(ROOT, path);
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
  if (isCheck) fail(`${path} is not a copy of the file in config: run ${COMMAND}`);
  else {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
for (const name of existsSync(join(ROOT, PYTHON_JUDGES)) ? readdirSync(join(ROOT, PYTHON_JUDGES)) : []) {
  const path = `${PYTHON_JUDGES}/${name}`;
  if (path in wanted) continue;
  if (isCheck) fail(`${path} has no file in config/judges: run ${COMMAND}`);
  else rmSync(join(ROOT, path));
}

function header(source) {
  return `// The bytes of ${source}. Made by ${COMMAND}.\n`;
}

function toModule(source, declaration, lines) {
  return `${header(source)}export const ${declaration} = {\n${lines.join('\n')}\n};\n`;
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
