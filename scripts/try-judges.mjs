#!/usr/bin/env node
// Asks a real model for the labels of the contrast sets, and prints how often each ready-made judge is right:
//
//   SPANDREL_TEST_MODEL_URL=http://localhost:11434/v1 SPANDREL_TEST_MODEL=qwen3 npm run try-judges
//   … npm run try-judges -- correctness refusal     only these judges
//
// The address is that of the protocol of OpenAI. SPANDREL_TEST_MODEL_KEY is the key, if there is one.
//
//   --output <folder>   results, with which a killed run goes on, and the rows that were wrong; default: a new folder
//   --concurrency <n>   calls at once; by default the library finds the limit of the model
//   --no-build          uses what was built before
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './dist.mjs';

const { values: options, positionals: wanted } = readArguments();
const { SPANDREL_TEST_MODEL_URL: baseUrl, SPANDREL_TEST_MODEL: name, SPANDREL_TEST_MODEL_KEY: apiKey } = process.env;
if (!baseUrl || !name) {
  const missing = [...(baseUrl ? [] : ['SPANDREL_TEST_MODEL_URL']), ...(name ? [] : ['SPANDREL_TEST_MODEL'])];
  fail(
    `No model was asked: set ${missing.join(' and ')}. SPANDREL_TEST_MODEL_URL is an address with the protocol of OpenAI, such as http://localhost:11434/v1, SPANDREL_TEST_MODEL the name of a model there, and SPANDREL_TEST_MODEL_KEY its key, if it needs one.`,
  );
}
if (!options['no-build'] && !build()) process.exit(1);
const { JUDGE_NAMES, openModel, readJudge } = await import('../dist/clients/typescript/evals/src/index.js');
const { readContrastSet } = await import('../dist/test/clients/contrast/contrast-sets.js');
const { formatAccuracies, formatShare } = await import('../dist/test/clients/contrast/accuracy-report.js');
const { measureJudge } = await import('../dist/test/clients/contrast/measure-judge.js');

const unknown = wanted.filter((judge) => !JUDGE_NAMES.includes(judge));
if (unknown.length > 0) fail(`There is no judge ${unknown.join(', ')}. Use some of ${JUDGE_NAMES.join(', ')}.`);
const judges = (wanted.length > 0 ? wanted : JUDGE_NAMES).map(readJudge);
const sets = new Map(judges.map((judge) => [judge, readContrastSet(judge)]));
let folder = options.output;

try {
  const model = openModel({ provider: 'openai-compatible', model: name, baseUrl, ...(apiKey && { apiKey }) });
  // A wrong address, key or name of a model is one message at the start, and not one for each row.
  await model.call({ messages: [{ role: 'user', content: 'Say yes.' }], parameters: {} });
  folder ??= mkdtempSync(join(tmpdir(), 'spandrel-judges-'));
  mkdirSync(folder, { recursive: true });
  const pairCount = [...sets.values()].reduce((sum, { length }) => sum + length, 0);
  console.log(`${name} at ${model.address}. Judges: ${judges.length}, pairs: ${pairCount}, results: ${folder}`);
  const accuracies = [];
  for (const [judge, pairs] of sets) accuracies.push(await measure(judge, pairs, model));
  const wrongPath = join(folder, 'wrong-rows.jsonl');
  writeFileSync(wrongPath, accuracies.flatMap(({ wrong }) => wrong.map((row) => `${JSON.stringify(row)}\n`)).join(''));
  console.log(`\n${formatAccuracies(accuracies)}`);
  console.log(`Rows that were not right, with the reasons of the model: ${wrongPath}`);
  process.exitCode = accuracies.some(({ missingCount }) => missingCount > 0) ? 1 : 0;
} catch (error) {
  fail(`${error.message}`, 1);
}

async function measure(judge, pairs, model) {
  const accuracy = await measureJudge(judge, pairs, {
    model,
    checkpoint: join(folder, `${judge.name}.jsonl`),
    ...(options.concurrency && { concurrency: Number(options.concurrency) }),
    ...(process.stdout.isTTY && { onProgress: (progress) => showProgress(judge, progress) }),
  });
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  console.log(`${judge.name.padEnd(24)} ${formatShare(accuracy.rightCount, accuracy.answeredCount)}`);
  return accuracy;
}

function showProgress({ name: judge }, { doneCount, totalCount, errorCount, perSecond }) {
  const errors = errorCount > 0 ? `, ${errorCount} errors` : '';
  process.stdout.write(
    `\r\x1b[K${judge.padEnd(24)} ${doneCount}/${totalCount} rows, ${perSecond.toFixed(1)}/s${errors}`,
  );
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        output: { type: 'string' },
        concurrency: { type: 'string' },
        'no-build': { type: 'boolean' },
      },
    });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message, code = 2) {
  console.error(message);
  process.exit(code);
}
