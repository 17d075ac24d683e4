import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExactJson } from '../../../../src/base/exact-json.ts';
import type { OutputConfig } from '../../../../src/model/evaluators/evaluator.ts';
import type { PromptTemplate } from '../../../../src/model/prompts/prompt-template.ts';
import { annotationNames } from '../../../../src/domain/evaluators/run/annotation-names.ts';
import { judgeInputSchema } from '../../../../src/domain/evaluators/run/judge/judge-inputs.ts';
import { keepOffered } from '../../../../src/domain/evaluators/run/judge/offered-parameters.ts';
import { parseVerdicts } from '../../../../src/domain/evaluators/run/judge/parse-verdicts.ts';

const config = (name: string): OutputConfig => ({
  type: 'CATEGORICAL',
  name,
  description: null,
  optimizationDirection: 'MAXIMIZE',
  values: [
    { label: 'good', score: 1 },
    { label: 'bad', score: null },
  ],
});
const call = (name: string, given: unknown) => ({
  id: 'call',
  name,
  arguments: typeof given === 'string' ? given : JSON.stringify(given),
});
const errorOf = (given: unknown) => parseVerdicts([call('quality', given)], [config('quality')])[0]!.error;

describe('the verdict of a judge', () => {
  test('is the label and explanation of the function with the name of the output', () => {
    const calls = [
      call('other', { label: 'bad' }),
      call('quality', { label: 'good', explanation: 'short' }),
      call('quality', { label: 'bad' }),
    ];
    assert.deepEqual(parseVerdicts(calls, [config('quality')]), [
      { label: 'good', score: 1, explanation: 'short', error: null },
    ]);
  });

  test('has an error for each output without a valid label', () => {
    const [first, second] = parseVerdicts([call('tone', { label: 'bad' })], [config('quality'), config('tone')]);
    assert.equal(first!.error, "The model did not call the function 'quality'");
    assert.deepEqual(second, { label: 'bad', score: null, explanation: null, error: null });
    assert.match(errorOf({ label: 'excellent' })!, /must be one of 'good', 'bad', received 'excellent'/);
    assert.match(errorOf({ label: 'Good' })!, /received 'Good'/);
    assert.match(errorOf({ label: 1 })!, /is not a string/);
    assert.match(errorOf({ explanation: 'x' })!, /no label/);
    assert.match(errorOf('{"label": "good"')!, /not a JSON object/);
    assert.match(errorOf('["good"]')!, /not a JSON object/);
    assert.match(errorOf('{"__proto__": {"label": "good"}}')!, /no label/);
    assert.ok(errorOf({ label: 'x'.repeat(100_000) })!.length < 1_000);
  });
});

describe('names of annotations', () => {
  test('begin with the first output', () => {
    assert.deepEqual(annotationNames([]), []);
    assert.deepEqual(annotationNames([config('a')]), ['a']);
    assert.deepEqual(annotationNames([config('a'), config('b')]), ['a.a', 'a.b']);
  });
});

describe('the inputs of a prompt', () => {
  const schema = (text: string, templateFormat: 'MUSTACHE' | 'F_STRING' = 'MUSTACHE') => {
    const template: PromptTemplate = { type: 'chat', messages: [{ role: 'user', content: text }] };
    const { properties, required } = judgeInputSchema({ template, templateFormat });
    return [JSON.stringify(properties), (required as ExactJson[]).toSorted()];
  };

  test('are its variables: plain ones are texts', () => {
    assert.deepEqual(schema('{{output}} {{a.b}}'), ['{"output":{"type":"string"},"a":{}}', ['a', 'output']]);
    assert.deepEqual(schema('{output} {{x}}', 'F_STRING'), ['{"output":{"type":"string"}}', ['output']]);
  });

  test('are not required when they may belong to an item of a list, or may be absent', () => {
    const [properties, required] = schema('{{#messages}}{{role}}{{/messages}}{{^note}}none{{/note}}');
    assert.deepEqual(JSON.parse(properties as string), { role: { type: 'string' }, messages: {}, note: {} });
    assert.deepEqual(required, ['messages']);
  });
});

describe('the parameters of a judge', () => {
  test('are those that the model offers', () => {
    const openai = { temperature: 0, top_p: 1, max_completion_tokens: 5, unknown: 1 };
    const given = (modelName: string) =>
      keepOffered({ modelProvider: 'OPENAI', modelName, invocationParameters: { type: 'openai', openai } });
    assert.deepEqual(given('o3-mini'), { type: 'openai', openai: { max_completion_tokens: 5 } });
    assert.deepEqual(given('gpt-4o'), {
      type: 'openai',
      openai: { temperature: 0, top_p: 1, max_completion_tokens: 5 },
    });
  });
});
