import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer } from '../test-server.ts';
import { categorical, continuous, mapping, promptOf } from './evaluator-fixtures.ts';

const open = shareTestServer();

const PREVIEW = `mutation ($input: EvaluatorPreviewsInput!) { evaluatorPreviews(input: $input) { results {
  evaluatorName error trace { id }
  annotation { id name annotatorKind label score explanation error metadata startTime endTime trace { id } } } } }`;

async function openPreviews() {
  const server = await open();
  const { builtInEvaluators } = await server.ask('{ builtInEvaluators { id name } }');
  const builtIns = new Map<string, string>(
    builtInEvaluators.map(({ id, name }: { id: string; name: string }) => [name, id]),
  );
  const item = (key: string, context: object, inputMapping: object = mapping({})) => ({
    evaluator: { builtInEvaluatorId: builtIns.get(key) },
    context,
    inputMapping,
  });
  return {
    item,
    run: async (...previews: object[]) =>
      (await server.ask(PREVIEW, { input: { previews } })).evaluatorPreviews.results,
    refuse: async (...previews: object[]) => (await server.post(PREVIEW, { input: { previews } })).errors,
  };
}

describe('previews of evaluators', () => {
  test('run built-in evaluators on mapped contexts', async () => {
    const { item, run } = await openPreviews();
    const context = { input: { q: 'x' }, output: { text: 'a refund', n: [1, 2] }, reference: null, metadata: {} };
    const results = await run(
      item('contains', context, mapping({ text: '$.output.text' }, { words: 'refund' })),
      item('exact_match', context, mapping({ actual: 'output.n[*]', expected: "$['output']['n']" })),
      item('levenshtein_distance', { expected: 'abc', actual: 12.5 }),
    );
    const [first, second, third] = results.map(({ annotation }: { annotation: object }) => annotation);
    assert.deepEqual(
      [first.name, first.annotatorKind, first.label, first.score, first.explanation],
      ['contains', 'CODE', 'true', 1, 'The text contains "refund".'],
    );
    assert.deepEqual(first.metadata, { text: 'a refund', words: 'refund' });
    assert.deepEqual(first.trace, null);
    assert.deepEqual([second.label, second.metadata], ['true', { actual: '[1,2]', expected: '[1,2]' }]);
    assert.deepEqual([third.name, third.label, third.score], ['levenshtein_distance', null, 4]);
  });

  test('report failed evaluations in their results', async () => {
    const { item, run } = await openPreviews();
    const results = await run(
      item('contains', { text: 'x' }),
      item('contains', { text: 'x' }, mapping({ words: '$.input.nothing' })),
      item('contains', { text: 'x', words: 'x' }, mapping({}, { case_sensitive: 'yes' })),
      item('regex', { text: 'x', pattern: '(' }),
      item('json_distance', { expected: '{', actual: {} }),
      item('contains', JSON.parse('{"text":"x","__proto__":{"words":"x"}}')),
    );
    assert.deepEqual(
      results.map(({ error, annotation }: { error: string; annotation: unknown }) => {
        assert.equal(annotation, null);
        return error.slice(0, 74);
      }),
      [
        "Input validation failed: 'words' is a required property",
        "JSONPath expression '$.input.nothing' for key 'words' did not match any va",
        "Input validation failed: 'case_sensitive' is not of type 'boolean', but a ",
        'Invalid regular expression: error parsing regexp: missing closing ): `(`',
        "The input 'expected' is not valid JSON: Expecting property name enclosed i",
        "Input validation failed: 'words' is a required property",
      ],
    );
    assert.deepEqual(new Set(results.map(({ evaluatorName }: { evaluatorName: string }) => evaluatorName)).size, 3);
  });

  test('reject evaluators that cannot run', async () => {
    const { item, refuse } = await openPreviews();
    const llm = (over: object) => ({
      evaluator: {
        inlineLlmEvaluator: { name: 'j', promptVersion: promptOf(), outputConfigs: [categorical('quality')], ...over },
      },
      context: {},
      inputMapping: mapping(),
    });
    const dataset = toGlobalId('Dataset', 1);
    const unknown = toGlobalId('BuiltInEvaluator', 99);
    const other = (builtInEvaluatorId: string) => ({ ...item('contains', {}), evaluator: { builtInEvaluatorId } });
    assert.deepEqual(await refuse(other(dataset)), ['Expected built-in evaluator, got Dataset']);
    assert.deepEqual(await refuse(other(unknown)), [`Built-in evaluator with id ${unknown} not found`]);
    assert.deepEqual(await refuse(llm({ outputConfigs: [continuous('quality')] })), [
      'Only categorical annotation configs are supported for LLM evaluator previews',
    ]);
    assert.match((await refuse(...Array.from({ length: 51 }, () => item('contains', {}))))![0]!, /at most 50/);
    assert.match((await refuse({ ...item('contains', {}), context: [] }))![0]!, /context must be a JSON object/);
  });
});
