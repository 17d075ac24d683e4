import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createFakeJudge } from '../../../clients/typescript/evals/src/fake-model/fake-judge.ts';
import { type FakeModelServer, startFakeModelServer } from '../../../clients/typescript/evals/src/fake-model/index.ts';
import { readJudge } from '../../../clients/typescript/evals/src/metrics/judges/index.ts';
import { type ContrastPair, readContrastSet } from './contrast-sets.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MODEL = 'fake-model';
const KEY = 'key of the test';

interface Finished {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs `npm run try-judges` without a build. */
const tryJudges = (settings: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...settings };
    execFile(
      process.execPath,
      ['scripts/try-judges.mjs', '--no-build', ...args],
      { cwd: ROOT, env },
      (error, output, errors) => resolve({ code: Number(error?.code ?? 0), output, errors }),
    );
  });

const correctness = readContrastSet(readJudge('correctness'));
const preference = readContrastSet(readJudge('preference'));
/** Errs as often as most models do. */
const judge = createFakeJudge({
  sensitivity: 0.9,
  specificity: 0.8,
  seed: 'contrast',
  truth: (text) => isCorrect(text),
});
/** Answers with a label that the judge does not have: to the first row of this pair. */
const UNKNOWN_LABEL_PAIR = correctness[4]!;

describe('scripts/try-judges.mjs', () => {
  let server: FakeModelServer;
  let settings: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'contrast-'));

  before(async () => {
    server = await startFakeModelServer({ apiKey: KEY, answers: ({ text, labels }) => answer(text, labels) });
    settings = {
      SPANDREL_TEST_MODEL_URL: `${server.url}/v1`,
      SPANDREL_TEST_MODEL: MODEL,
      SPANDREL_TEST_MODEL_KEY: KEY,
    };
  });

  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test('prints the accuracy of judges whose errors are known, and stores the rows that were wrong', async () => {
    const expected = countRight(correctness);

    const { code, output, errors } = await tryJudges(settings, '--output', folder, 'correctness', 'preference');

    assert.equal(errors, '');
    assert.equal(code, 0);
    const rows = correctness.length * 2;
    const percent = ((expected.rows / rows) * 100).toFixed(1);
    assert.match(
      output,
      new RegExp(
        `^correctness +1 +${expected.rows}/${rows} +${percent} % \\(\\d.* to \\d.*\\) +${expected.pairs}/${correctness.length}, .* 1 +0 +0$`,
        'm',
      ),
    );
    // Each order is asked, and a fair judge is right in both.
    const fair = preference.length;
    assert.match(output, new RegExp(`^preference +1 +${2 * fair}/${2 * fair} +100\\.0 % .* ${fair}/${fair}, `, 'm'));
    assert.match(output, /^[\d,]+ requests, [\d,]+ tokens in, [\d,]+ out, [\d,]+ calls whose price is not known$/m);
    const wrong = readFileSync(join(folder, 'wrong-rows.jsonl'), 'utf8').trimEnd().split('\n');
    const parsed = wrong.map(
      (line) => JSON.parse(line) as { judge: string; received: string | null; errors?: string[] },
    );
    assert.equal(parsed.length, rows - expected.rows);
    assert.deepEqual([...new Set(parsed.map((row) => row.judge))], ['correctness']);
    assert.match(parsed.find(({ received }) => received === null)?.errors?.at(-1) ?? '', /LabelError.*perhaps/);
  });

  test('resumes in the same folder without repeating completed requests', async () => {
    const before = server.model.counts.requests;

    const { code, output } = await tryJudges(settings, '--output', folder, 'correctness', 'preference');

    assert.equal(code, 0);
    assert.match(output, /^preference +1 +\d+\/\d+ +100\.0 %/m);
    // The question at the start, and the one row without a label with its repair.
    assert.ok(server.model.counts.requests - before <= 3);
  });

  test('names what to set', async () => {
    const none = await tryJudges({});
    const half = await tryJudges({ SPANDREL_TEST_MODEL_URL: server.url });

    assert.equal(none.code, 2);
    assert.match(
      none.errors,
      /^No model was asked: set SPANDREL_TEST_MODEL_URL and SPANDREL_TEST_MODEL\. .* such as http/,
    );
    assert.match(half.errors, /^No model was asked: set SPANDREL_TEST_MODEL\. /);
  });

  test('rejects a wrong key, an unknown judge and an unknown option with one line', async () => {
    const results = await Promise.all([
      tryJudges({ ...settings, SPANDREL_TEST_MODEL_KEY: 'wrong' }, 'refusal'),
      tryJudges(settings, 'kindness'),
      tryJudges(settings, '--speed', '9'),
    ]);

    assert.deepEqual(
      results.map(({ code }) => code),
      [1, 2, 2],
    );
    assert.match(results[0]!.errors, /key/);
    assert.match(results[1]!.errors, /^There is no judge kindness\. Use some of answer_relevance, /);
    assert.match(results[2]!.errors, /--speed/);
    for (const { errors } of results) assert.equal(errors.trimEnd().split('\n').length, 1, errors);
  });
});

/** What the fake model says to a prompt. */
function answer(text: string, labels: readonly string[]): unknown {
  if (labels.length === 0) return 'yes';
  const label = labels.includes('tie') ? betterOf(text) : labelOf(text, labels);
  return { explanation: 'So it seems.', label };
}

const isOf = (text: string, { values }: ContrastPair['rows'][number]): boolean =>
  Object.values(values).every((value) => text.includes(value));

function labelOf(text: string, labels: readonly string[]): string {
  return isOf(text, UNKNOWN_LABEL_PAIR.rows[0]) ? 'perhaps' : judge.decide(texts(text), labels);
}

/** The texts of a row decide, in whatever form the model is asked. */
const texts = (prompt: string): string => prompt.slice(prompt.indexOf('<input>'), prompt.lastIndexOf('</output>'));

const isCorrect = (text: string): boolean => correctness.some(({ rows }) => isOf(text, rows[0]));

function betterOf(text: string): string {
  const rows = preference.flatMap((pair) => pair.rows);
  const isIn = (tag: string, value: string) => text.includes(`<${tag}>\n${value}\n</${tag}>`);
  const given = rows.find(({ values }) => isIn('first', values.first!) && isIn('second', values.second!));
  if (given) return given.label;
  const swapped = rows.find(({ values }) => isIn('first', values.second!) && isIn('second', values.first!));
  return swapped?.label === 'first' ? 'second' : 'first';
}

/** Right answers of the fake model, counted without the library. */
function countRight(pairs: readonly ContrastPair[]): { rows: number; pairs: number } {
  const right = pairs.map(({ rows }) =>
    rows.map(({ label, values }) => {
      const text = `<input>\n${values.input}\n</input>\n\n<output>\n${values.output}\n</output>`;
      return labelOf(text, ['correct', 'incorrect']) === label;
    }),
  );
  return { rows: right.flat().filter(Boolean).length, pairs: right.filter((both) => both.every(Boolean)).length };
}
