import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  BIAS_CHECKS,
  type BiasCheck,
  type BiasFinding,
  BiasReport,
  checkBiases,
  familyOf,
} from '../../../clients/typescript/evals/src/bias/index.ts';
import { createClassificationEvaluator } from '../../../clients/typescript/evals/src/llm.ts';
import {
  createCorrectnessEvaluator,
  createPreferenceEvaluator,
} from '../../../clients/typescript/evals/src/metrics/judges/index.ts';
import { createStudyModel, makeStudy } from './judge-studies.ts';

const ROWS = makeStudy(300);
const foundIn = (report: BiasReport) => report.found.map(({ check }) => check);

describe('bias checks', () => {
  test('raise no alarm for a judge without biases', async () => {
    const model = createStudyModel({ sensitivity: 0.9, specificity: 0.9, seed: 2 }, { variesByRepetition: true });
    const steady = createStudyModel({ sensitivity: 0.6, specificity: 0.6 });

    const [report, again] = await Promise.all([
      checkBiases(createCorrectnessEvaluator({ model }), ROWS),
      checkBiases(createCorrectnessEvaluator({ model: steady }), ROWS.slice(0, 100), { checks: ['repetition'] }),
    ]);

    assert.deepEqual(foundIn(report), ['repetition'], String(report));
    assert.match(again.sentences()[0] ?? '', /it keeps its verdicts: 0\.0% changed/);
    assert.deepEqual(
      report.findings.map(({ check }) => check),
      BIAS_CHECKS,
    );
    assert.match(String(report), /order +skipped/);
  });

  test('find planted biases', async () => {
    const planted = [
      ['length', 'length'],
      ['formatting', 'formatting'],
      ['instructions', 'instructions'],
      ['first_label', 'labels reversed'],
    ] as const;
    for (const [bias, check] of planted) {
      const model = createStudyModel({ sensitivity: 0.9, specificity: 0.9, biases: { [bias]: 0.5 }, seed: 5 });

      const report = await checkBiases(createCorrectnessEvaluator({ model }), ROWS, { checks: [check] });

      assert.deepEqual(foundIn(report), [check], String(report));
      assert.ok(Math.abs(report.findings[0]?.effect ?? 0) > 0.05, String(report));
    }
  });

  test('find a judge that goes by the names of its labels, and one that wavers', async () => {
    const named = createStudyModel(
      {},
      { answers: ({ labels }) => ({ explanation: '', label: labels.includes('correct') ? 'correct' : labels[1] }) },
    );
    const wavering = createStudyModel({ sensitivity: 0.6, specificity: 0.6 }, { variesByRepetition: true });

    const [names, again] = await Promise.all([
      checkBiases(createCorrectnessEvaluator({ model: named }), ROWS.slice(0, 50), { checks: ['labels renamed'] }),
      checkBiases(createCorrectnessEvaluator({ model: wavering }), ROWS.slice(0, 100), { checks: ['repetition'] }),
    ]);

    assert.match(String(names), /With neutral names of the labels, it chooses correct less often: -100\.0 points/);
    assert.match(
      again.sentences()[0] ?? '',
      /repetition: When it is asked again, it changes \d\d\.\d% of its verdicts/,
    );
  });

  test('find a preference for the first place, and for the own family of models', async () => {
    const first = createStudyModel({}, { answers: () => ({ explanation: '', label: 'first' }) });
    const own = createStudyModel(
      {},
      {
        name: 'gpt-4o-mini',
        answers: ({ text, labels }) => ({ explanation: '', label: labels[text.includes('by gpt') ? 0 : 1] }),
      },
    );
    const pairs = Array.from({ length: 60 }, (_, number) => ({ input: 'q', first: `a ${number}`, second: 'b' }));
    const signed = ROWS.slice(0, 200).map((row) => ({ ...row, output: `${row.output} by ${row.model}` }));

    const [order, family] = await Promise.all([
      checkBiases(createPreferenceEvaluator({ model: first }), pairs, { checks: ['order', 'labels renamed'] }),
      checkBiases(createCorrectnessEvaluator({ model: own }), signed, { checks: ['own family'] }),
    ]);

    assert.deepEqual(foundIn(order), ['order']);
    assert.match(order.findings[0]?.sentence ?? '', /It prefers whatever comes first: \+100\.0 points/);
    assert.match(family.findings[0]?.sentence ?? '', /more often to texts of OpenAI, its own family/);
    const names = ['us.anthropic.claude-3', 'o3-mini', 'models/gemini-2', 'deepseek-r1-distill-llama', 'my-model'];
    assert.deepEqual(names.map(familyOf), ['Anthropic', 'OpenAI', 'Google', 'DeepSeek', undefined]);
  });

  test('say why a check cannot run, and reject what fits no check', async () => {
    const model = createStudyModel({});
    const choices = ['good', 'bad'];
    const plain = createClassificationEvaluator({ name: 'plain', model, promptTemplate: 'Judge {{text}}', choices });

    const report = await checkBiases(plain, [{ text: 'a' }, { text: 'b' }]);

    const reasons = new Map(report.findings.map(({ check, sentence }) => [check, sentence]));
    assert.match(reasons.get('length') ?? '', /no row has a label of people/);
    assert.match(reasons.get('own family') ?? '', /is unknown/);
    assert.match(reasons.get('labels renamed') ?? '', /cannot be renamed/);
    await assert.rejects(
      checkBiases(plain, [{ text: 'a' }], { checks: ['colour' as BiasCheck] }),
      /no check colour; expected/,
    );
    await assert.rejects(checkBiases(createCorrectnessEvaluator({ model }), [{ input: 'q' }]), /Row 0: .*output/);
    await assert.rejects(checkBiases(plain, []), /There are no rows/);
  });

  test('are reported as HTML without markup of rows, and as JSON', () => {
    const finding: BiasFinding = {
      ...{ check: 'length', count: 1, effect: 0.1, low: 0, high: 0.2, pValue: 0.01, adjustedPValue: 0.0001 },
      ...{ status: 'found', sentence: '<script>alert("1")</script>' },
    };
    const report = new BiasReport({
      evaluator: "<b>'judge'</b>",
      field: 'output',
      positive: 'good',
      count: 1,
      findings: [finding],
    });

    assert.ok(!/<script|<b>|"1"|'judge'/.test(report.toHtml()), report.toHtml());
    assert.equal(JSON.parse(JSON.stringify(report)).findings[0].effect, 0.1);
  });
});
