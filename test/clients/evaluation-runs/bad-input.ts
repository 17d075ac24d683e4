import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { InstalledEvals } from '../installed-evals.ts';
import { EXACT, judgeOf } from './judge.ts';

export function testBadRuns(installed: () => InstalledEvals): void {
  const evaluateOne = async (row: unknown, options: object = {}, judgeOptions: object = {}) => {
    const model = installed().fakeModel.createFakeModel({ ...EXACT, ...options });
    const { rows } = await installed().core.evaluate({
      data: [row],
      evaluators: [judgeOf(installed(), model, judgeOptions)],
    });
    const { status, exceptions, errorKind } = rows[0]?.details.quality ?? {};
    return { status, errorKind, message: exceptions?.at(-1) ?? '', asked: model.counts.requests, row: rows[0] };
  };

  describe('bad input', () => {
    test('in rows fails these rows before a model is called', async () => {
      const rows = [
        [{ output: 1 }, /field input is missing in the row, which has output/],
        [{ input: Number.NaN }, /input has no value \(NaN\)/],
        [{ input: null }, /input has no value \(null\)/],
        [{ input: undefined }, /input is missing/],
        [{ input: 'x'.repeat(10_000_000) }, /prompt has 10000[0-9]+ characters, and at most 5000000/],
        [['a', 'b'], /row is an object of fields, and not a list/],
        ['text', /row is an object of fields, and not a string/],
        [
          {
            input: {
              toJSON: () => {
                throw new Error('no JSON');
              },
            },
          },
          /no JSON/,
        ],
      ] as const;
      for (const [row, message] of rows) {
        const result = await evaluateOne(row);
        assert.equal(result.status, 'FAILED');
        assert.match(result.message, message);
        assert.doesNotMatch(result.message, /\n/);
        assert.equal(result.asked, 0);
      }
      const list = await evaluateOne({ input: ['a', 'b'] });
      assert.equal(list.status, 'COMPLETED');
    });

    test('as names reaches no prototype', async () => {
      const { core } = installed();
      const row = JSON.parse('{"input":"truth=1","__proto__":{"polluted":true},"constructor":1}');
      const result = await evaluateOne(row, {}, { name: '__proto__' });
      const named = await core.evaluate({
        data: [row],
        evaluators: [core.createEvaluator(() => 1, { name: '__proto__' })],
      });

      assert.equal(result.row?.scores.constructor, Object);
      assert.equal(Object.getOwnPropertyDescriptor(named.rows[0]?.scores, '__proto__')?.value.score, 1);
      assert.equal(({} as { polluted?: boolean }).polluted, undefined);
      const mapped = core.createEvaluator((fields: Record<string, unknown>) => Object.hasOwn(fields, '__proto__'), {
        name: 'mapped',
        inputMapping: JSON.parse('{"__proto__":"input"}'),
      });
      assert.equal((await mapped.evaluate({ input: { polluted: true } })).score, 1);
    });

    test('of a judge ends as an error of its kind', async () => {
      const prose = await evaluateOne({ input: 'x' }, { answers: ['Je pense que oui.'] });
      const nothing = await evaluateOne({ input: 'x' }, { answers: [''] });
      const label = await evaluateOne({ input: 'x' }, { answers: [{ explanation: '', label: 'gut' }] });
      const twoLabels = await evaluateOne({ input: 'x' }, { answers: [{ explanation: '', label: ['good', 'bad'] }] });

      assert.deepEqual([prose.errorKind, prose.asked], ['answer', 2]);
      assert.deepEqual([nothing.errorKind, nothing.asked], ['answer', 2]);
      assert.deepEqual([label.errorKind, twoLabels.errorKind], ['label', 'label']);
      assert.match(label.message, /"gut" is not one of "good", "bad"/);
    });

    test('in choices and evaluators is found before anything is sent', () => {
      const { core, fakeModel } = installed();
      const model = fakeModel.createFakeModel();
      const judge = (choices: unknown) => judgeOf(installed(), model, { choices });
      assert.throws(() => judge(['one']), /at least two choices, and has 1/);
      assert.throws(() => judge(['a', 'A ']), /contain the label "A " twice/);
      assert.throws(() => judge(['a', '']), /not blank/);
      assert.throws(() => judge({ a: 1, b: Number.NaN }), /score of the label "b"/);
      const evaluate = (options: object) => core.evaluate({ data: [], evaluators: [judge(['a', 'b'])], ...options });
      const twice = core.createEvaluator(() => 1, { name: 'quality' });
      assert.throws(
        () => evaluate({ evaluators: [judge(['a', 'b']), twice] }),
        /Two evaluators have the name "quality"/,
      );
      assert.throws(() => evaluate({ evaluators: [] }), /at least one evaluator/);
      assert.throws(() => evaluate({ evaluators: [{ name: 'n' }] }), /An evaluator is made by/);
      assert.throws(() => evaluate({ concurrency: 0 }), /concurrency is an integer from 1, and not 0/);
      assert.throws(() => evaluate({ timeoutMs: Number.NaN }), /timeoutMs/);
      assert.throws(() => evaluate({ data: undefined }), /needs data/);
      assert.throws(() => core.createEvaluator(() => 1, { name: ' ' }), /needs a name/);
      assert.throws(
        () => core.createEvaluator(() => 1, { name: 'n', inputMapping: { a: 1 as never } }),
        /mapping of a is a text or a function/,
      );
      assert.throws(() => judgeOf(installed(), model, { promptTemplate: '{{#input}}' }), /never closed/);
    });

    test('in files and sources ends the run with one line, and no rejection is left unhandled', async () => {
      const { core } = installed();
      const one = core.createEvaluator(() => 1, { name: 'one' });
      async function* broken() {
        yield { input: 1 };
        throw new Error('The source broke.');
      }
      await assert.rejects(async () => core.evaluate({ data: broken(), evaluators: [one] }), /The source broke/);
      const folder = join(installed().folder, 'no', 'such', 'folder', 'x.jsonl');
      await assert.rejects(
        async () => core.evaluate({ data: [{}], evaluators: [one], checkpoint: folder }),
        /Cannot write .*x\.jsonl/,
      );
      // A run that nobody awaits does nothing.
      core.evaluate({ data: broken(), evaluators: [one] });
    });

    test('a file that cannot grow ends the run with what to do', async () => {
      const checkpoint = join(installed().folder, 'limited.jsonl');
      const program = join(installed().folder, 'limited.mjs');
      await writeFile(program, limitedProgram(checkpoint));
      // As a full disk: from one block on, the system rejects what is written.
      const command = `trap '' XFSZ; ulimit -f 1; exec "${process.execPath}" "${program}"`;
      const { stdout } = await promisify(execFile)('bash', ['-c', command]);

      assert.match(
        stdout,
        /^EvaluationError: Cannot write .*limited\.jsonl: .*run again\. What was written is kept\.\n$/,
      );
      const lines = (await readFile(checkpoint, 'utf8')).split('\n');
      assert.equal(lines.pop(), '');
      for (const line of lines) JSON.parse(line);
    });
  });
}

const limitedProgram = (checkpoint: string) => `
  import { createEvaluator, evaluate } from '@spandrel/evals';
  const one = createEvaluator(() => 1, { name: 'one' });
  const data = Array.from({ length: 200 }, (_, index) => ({ index }));
  await evaluate({ data, evaluators: [one], checkpoint: ${JSON.stringify(checkpoint)} }).then(
    () => console.log('no error'),
    (error) => console.log(String(error)),
  );
`;
