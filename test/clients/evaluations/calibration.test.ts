import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type CalibrationReport,
  calibrate,
  findDrift,
  type LabelledRow,
  readLabels,
} from '../../../clients/typescript/evals/src/calibration/index.ts';
import { createEvaluator } from '../../../clients/typescript/evals/src/evaluators/function-evaluator.ts';
import { chooseExamples, compareVersions } from '../../../clients/typescript/evals/src/improve/index.ts';
import { createClassificationEvaluator } from '../../../clients/typescript/evals/src/llm.ts';
import { createCorrectnessEvaluator } from '../../../clients/typescript/evals/src/metrics/judges/index.ts';
import { createStudyModel, makeStudy } from './judge-studies.ts';

const ROWS = makeStudy(600);
const ALL = { heldOut: 1, examples: 0 };

const judgeOf = (sensitivity: number, specificity: number, seed: string | number = 1) =>
  createCorrectnessEvaluator({ model: createStudyModel({ sensitivity, specificity, seed }) });

describe('a calibration', () => {
  let report: CalibrationReport;

  test('measures the sensitivity and specificity of a judge on the held-out rows', async () => {
    report = await calibrate(judgeOf(0.9, 0.8), ROWS);

    const { count, quality, matrix, agreement, errors } = report.heldOut;
    assert.ok(count > 250 && count < 350);
    assert.ok(Math.abs((quality.sensitivity.value ?? 0) - 0.9) < 0.06);
    assert.ok(Math.abs((quality.specificity.value ?? 0) - 0.8) < 0.07);
    assert.deepEqual(matrix.labels, ['correct', 'incorrect']);
    assert.equal(errors.truePositives + errors.falsePositives, matrix.judgeCounts[0]);
    assert.ok((agreement.low ?? 0) < 0.85 && (agreement.high ?? 0) > 0.85);
    assert.deepEqual(report.judge, { model: 'fake-model', judge: 'correctness', version: 1 });
    assert.equal(report.heldOut.positive, 'correct');
  });

  test('corrects a rate that the judge gave, and lists no disagreement of the held-out part', () => {
    const corrected = report.correctedRate({ positives: 480, count: 1_000 });

    // (0.48 + 0.8 − 1) / 0.7
    assert.ok(corrected.low < 0.4 && corrected.high > 0.4, JSON.stringify(corrected));
    assert.ok(Math.abs((corrected.naive.value ?? 0) - 0.48) < 1e-9);
    assert.ok(report.disagreements.length > 20);
    assert.ok(report.disagreements.every(({ labelled }) => labelled.split !== 'held_out'));
    assert.match(String(report), /held-out rows, correctness agrees with people on 8\d\.\d%.*kappa/);
    assert.match(String(report), /more labelled held-out rows would halve/);
    assert.match(String(report), /people \\ judge +correct +incorrect/);
    assert.equal(JSON.parse(JSON.stringify(report)).heldOut.count, report.heldOut.count);
  });

  test('compares several people, whose agreement is the ceiling, and leaves out rows on which they are split', async () => {
    const rows = ROWS.slice(0, 60).map(({ humanLabel, ...row }, index) => {
      const other = humanLabel === 'correct' ? 'incorrect' : 'correct';
      return { ...row, labels: { ann: humanLabel, bob: index < 6 ? other : humanLabel } };
    });

    const found = await calibrate(judgeOf(1, 1), rows, { labelField: 'labels', shares: ALL });

    assert.equal(found.splitCount, 6);
    assert.equal(found.heldOut.count, 54);
    assert.equal(found.heldOut.agreement.value, 1);
    assert.equal(found.people?.share.value, 0.9);
    assert.match(String(found), /People agree with each other on 90\.0%/);
  });

  test('uses the order of scores for a weighted kappa, and counts failed rows apart', async () => {
    const choices = { low: 1, high: 3, middle: 2 };
    const model = createStudyModel(
      {},
      { answers: ({ text }) => (text.includes('7') ? 'no idea' : { explanation: '', label: text.trim() }) },
    );
    const rows = ['low', 'high', 'middle', 'low', 'high'].map((humanLabel, id) => ({
      id,
      text: ` ${humanLabel}`.slice(-4),
      humanLabel,
    }));
    const broken = [...rows, { id: 7, text: '7', humanLabel: 'low' }];
    const graded = createClassificationEvaluator({ name: 'graded', model, promptTemplate: '{{text}}', choices });

    const found = await calibrate(graded, broken, { shares: ALL });

    assert.equal(found.heldOut.positive, 'high');
    assert.equal(found.errorCount, 2);
    assert.equal(found.heldOut.weightedKappa?.kappa, 1);
    assert.match(found.errors.join(), /label|JSON|answer/i);
  });

  test('finds the drift of a judge on the same rows', async () => {
    const [before, same, after] = [
      await calibrate(judgeOf(0.95, 0.95), ROWS),
      await calibrate(judgeOf(0.95, 0.95), ROWS),
      await calibrate(judgeOf(0.75, 0.95, 2), ROWS),
    ];

    assert.match(findDrift(before, same).sentence, /another verdict on 0\.0% of 600 rows/);
    const drift = findDrift(before, after);
    assert.ok((drift.agreement.high ?? 0) < 0 && drift.rate.verdict === 'unclear');
    assert.match(drift.sentence, /its agreement with people fell by .* its share of correct fell by/);
  });

  test('improves a judge by examples of one part, chooses by another, and measures by the third', async () => {
    const bad = judgeOf(0.7, 0.7, 'bad');
    const first = await calibrate(bad, ROWS);
    const examples = chooseExamples(bad, first, { count: 4 });
    const model = createStudyModel({ sensitivity: 0.95, specificity: 0.95, seed: 'good', truth: lastTruth });
    const better = createCorrectnessEvaluator({ model, examples });

    const comparison = await compareVersions({ present: bad, 'four examples': better }, ROWS);

    assert.deepEqual(examples.map(({ label }) => label).sort(), ['correct', 'correct', 'incorrect', 'incorrect']);
    assert.equal(comparison.best.name, 'four examples');
    assert.ok(comparison.isClear);
    assert.match(
      String(comparison),
      /fixes \d+ and breaks \d+\nBest: four examples \(clearly better than present\)\. On the \d+ held-out rows four examples agrees on 0\.\d/,
    );
    assert.match(String(comparison.best.report.judge.version), /^1\+[0-9a-f]{8}$/);
  });

  test('rejects a judge that has seen the rows by which it is measured', async () => {
    const rows = await readLabels(ROWS);
    const seen = rows.find(({ split }) => split === 'held_out') as LabelledRow;
    const values = { input: 'q', output: String(seen.row.output) };
    const example = { values, explanation: 'So.', label: 'correct' };
    const judge = createCorrectnessEvaluator({ model: createStudyModel({}), examples: [example] });

    await assert.rejects(calibrate(judge, ROWS), /of the part held_out is an example in the prompt/);
  });

  test('names what is wrong with labels', async () => {
    const judge = judgeOf(1, 1);
    const row = { id: 'a', input: 'q', output: 'a', humanLabel: 'good' };

    await assert.rejects(
      calibrate(judge, [row]),
      /People gave the label "good"; the evaluator correctness has only correct, incorrect/,
    );
    await assert.rejects(calibrate(judge, [{ input: 'q' }]), /Row 0 has no field humanLabel or human_label/);
    await assert.rejects(calibrate(judge, [{ humanLabel: null }]), /None of 1 rows has a label/);
    await assert.rejects(calibrate(judge, [{ humanLabel: 1 }]), /a number as a label in humanLabel; expected a text/);
    await assert.rejects(readLabels([row, row]), /Row 1 has the key "a" of another row/);
    await assert.rejects(
      calibrate(judge, [{ ...row, humanLabel: 'correct' }], { positive: 'good' }),
      /positive is the label "good"/,
    );
    await assert.rejects(compareVersions({ only: judge }, [row]), /two or more versions, received 1/);
  });

  test('takes labels of a code evaluator, and people named like parts of objects', async () => {
    const code = createEvaluator((record) => ((record.output as string).length > 3 ? 'long' : 'short'), {
      name: 'code',
    });
    const labels = JSON.parse('{"__proto__": "long", "constructor": "long", "ann": "short"}') as object;

    const found = await calibrate(code, [{ output: 'abcd', humanLabel: labels }], { shares: ALL });

    assert.equal(found.heldOut.agreement.value, 1);
    assert.deepEqual(
      found.people?.people.map(({ person }) => person),
      ['__proto__', 'ann', 'constructor'],
    );
  });
});

/** The truth of the row, which comes after the examples. */
const lastTruth = (text: string): boolean => [...text.matchAll(/truth=([01])/g)].at(-1)?.[1] === '1';
