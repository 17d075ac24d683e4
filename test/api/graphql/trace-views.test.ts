import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import type { TestSpan } from '../../fixtures/span-columns.ts';
import { openTestServer } from '../test-server.ts';

const TRACE = 'a'.repeat(32);
const SPANS: TestSpan[] = [
  { traceId: TRACE, spanId: '1'.repeat(16), name: 'root', sessionId: 'chat', start: 1n },
  {
    traceId: TRACE,
    spanId: '2'.repeat(16),
    parentSpanId: '1'.repeat(16),
    name: 'ask',
    spanKind: 'LLM',
    modelName: 'known-1',
    tokens: [100, 10],
    attributes: {
      llm: {
        token_count: { prompt: 100, completion: 10 },
        output_messages: [{ message: { role: 'assistant', content: 'Hi' } }],
      },
      tool_call: { id: 'c1' },
    },
    start: 2n,
  },
];
const id = (type: 'Span' | 'Trace' | 'ProjectSession', rowId: number) => toGlobalId(type, rowId);

describe('data for drawings of a trace', () => {
  test('nodes come in the order of their ids, also of different types', async (t) => {
    const server = await openTestServer(t);
    await server.append(...SPANS);

    const { nodes } = await server.ask(
      'query($ids:[ID!]!){nodes(ids:$ids){__typename ...on Span{name} ...on Trace{numSpans}}}',
      { ids: [id('Span', 2), id('Trace', 1), id('Span', 1)] },
    );
    const { errors } = await server.post('{nodes(ids:["nonsense"]){id}}');

    assert.deepEqual(nodes, [
      { __typename: 'Span', name: 'ask' },
      { __typename: 'Trace', numSpans: 2 },
      { __typename: 'Span', name: 'root' },
    ]);
    assert.deepEqual(errors, ['Unknown node: nonsense']);
  });

  test('an attribute is read by its path, as JSON text', async (t) => {
    const server = await openTestServer(t);
    await server.append(...SPANS);

    const { node } = await server.ask(
      `{node(id:"${id('Span', 2)}"){...on Span{
        said:attribute(path:"llm.output_messages") call:attribute(path:"tool_call.id")
        none:attribute(path:"llm.input_messages") proto:attribute(path:"__proto__") made:attribute(path:"constructor")}}}`,
    );

    assert.deepEqual(JSON.parse(node.said), [{ message: { role: 'assistant', content: 'Hi' } }]);
    assert.equal(node.call, '"c1"');
    assert.equal(node.none, null);
    assert.equal(node.proto, null);
    assert.equal(node.made, null);
  });

  test('costs are those of the spans that have some, by their index in the skeleton', async (t) => {
    const price = { tokenType: 'input', isPrompt: true, perToken: 2e-6 };
    const model = { name: 'm', provider: 'openai', namePattern: '^known', startTimeMs: null };
    const prices = [price, { tokenType: 'output', isPrompt: false, perToken: 10e-6 }];
    const server = await openTestServer(t, { builtInModels: [{ ...model, prices }] });
    await server.ports.models.publish();
    await server.append(...SPANS);

    const { node } = await server.ask(`{node(id:"${id('Trace', 1)}"){...on Trace{spanCosts{indices costs}}}}`);

    assert.deepEqual(node.spanCosts.indices, [1]);
    assert(Math.abs(node.spanCosts.costs[0] - 0.0003) < 1e-12);
  });

  test('traces and sessions take notes', async (t) => {
    const server = await openTestServer(t);
    await server.append(...SPANS);

    const made = await server.ask(
      `mutation{
        createTraceNote(annotationInput:{traceId:"${id('Trace', 1)}",note:"slow"}){traceAnnotations{name explanation}}
        createProjectSessionNote(annotationInput:{projectSessionId:"${id('ProjectSession', 1)}",note:"angry"}){
          projectSessionAnnotation{name explanation source}}}`,
    );
    const again = await server.post(
      `mutation{createTraceNote(annotationInput:{traceId:"${id('Trace', 9)}",note:"x"}){query{projectCount}}}`,
    );

    assert.deepEqual(made.createTraceNote.traceAnnotations, [{ name: 'note', explanation: 'slow' }]);
    assert.deepEqual(made.createProjectSessionNote.projectSessionAnnotation, {
      name: 'note',
      explanation: 'angry',
      source: 'APP',
    });
    assert.match(again.errors?.[0] ?? '', /Could not find traces with IDs/);
  });
});
