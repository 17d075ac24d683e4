import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { categorical, mapping, promptOf } from '../api/graphql/evaluator-fixtures.ts';
import { ACCEPT, readPayloads } from '../api/graphql/subscriptions/stream-readers.ts';
import { providerAt } from '../api/playground/providers-at-endpoint.ts';
import { type EndpointProcess, startEndpointProcess } from '../vendor-endpoint/endpoint-process.ts';
import { VENDOR_PROTOCOLS } from '../vendor-endpoint/vendor-call.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const CELLS = `subscription ($input: ChatCompletionCellsInput!) { chatCompletionCells(input: $input) { key payload {
  __typename
  ... on TextChunk { content }
  ... on ChatCompletionSubscriptionError { message }
  ... on ChatCompletionSubscriptionResult { span { statusCode } } } } }`;
const PREVIEW = `mutation ($input: EvaluatorPreviewsInput!) { evaluatorPreviews(input: $input) { results {
  error annotation { label } } } }`;

/** What ten endless answers at once may take beside the server's own memory, with garbage that was not collected yet. */
const GROWTH_MIB_MAX = 700;
const GIGABYTE = 1_000_000_000;

describe('a gigabyte of text from a vendor', () => {
  let endpoint: EndpointProcess;
  let server: ServerProcess;
  const providers: object[] = [];

  before(async () => {
    endpoint = await startEndpointProcess();
    server = await startServer();
    for (const protocol of VENDOR_PROTOCOLS) providers.push(await providerAt({ ask }, protocol, endpoint.url));
  });

  after(async () => {
    await server?.kill9();
    await endpoint?.close();
  });

  async function ask(query: string, variables: object = {}) {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
    const { data, errors } = (await response.json()) as { readonly data: any; readonly errors?: unknown };
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data;
  }

  /** The largest resident memory of the server's process since the last reset, in MiB. */
  async function peakMib(): Promise<number> {
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  }
  const resetPeak = () => writeFile(`/proc/${server.pid}/clear_refs`, '5');

  test('is an error of its cell alone, over every protocol, and takes bounded memory', async (t) => {
    const variants = providers.flatMap((provider) =>
      [true, false].map((streamModelOutput) => ({
        promptVersion: {
          templateFormat: 'MUSTACHE',
          template: { messages: [{ role: 'USER', content: [{ text: { text: '{{what}}' } }] }] },
          ...provider,
        },
        repetitions: 1,
        streamModelOutput,
      })),
    );
    const cells = variants.flatMap((_, variant) => [
      { key: `endless ${variant}`, variant, variables: { what: `[[fault endless ${GIGABYTE}]]` } },
      { key: `fine ${variant}`, variant, variables: { what: '[[words 30]] [[rate 30]]' } },
    ]);
    await resetPeak();
    const before = await peakMib();

    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT.sse },
      body: JSON.stringify({ query: CELLS, variables: { input: { variants, cells, maxConcurrency: 20 } } }),
    });
    const payloads = (await readPayloads(response)).map(
      ({ data, errors }) => data?.chatCompletionCells ?? assert.fail(JSON.stringify(errors)),
    );

    for (const { key } of cells) {
      const own = payloads.filter((one) => one.key === key).map(({ payload }) => payload);
      const errors = own.filter(({ __typename }) => __typename === 'ChatCompletionSubscriptionError');
      const last = own.at(-1);
      assert.equal(last.__typename, 'ChatCompletionSubscriptionResult', key);
      if (key.startsWith('fine')) {
        assert.deepEqual(errors, [], key);
        assert.equal(
          own
            .map(({ content }) => content ?? '')
            .join('')
            .split(' ').length,
          31,
          key,
        );
      } else {
        assert.equal(errors.length, 1, key);
        assert.match(errors[0].message, /more than|larger|too long|too large|at most/i);
        assert.equal(last.span.statusCode, 'ERROR', key);
      }
    }
    const growth = (await peakMib()) - before;
    t.diagnostic(`${Math.round(growth)} MiB more resident memory than the ${Math.round(before)} MiB before`);
    assert.ok(growth < GROWTH_MIB_MAX, `${growth} MiB`);
  });

  test('is an error of its evaluation alone, from a judge over every protocol', async (t) => {
    const previews = providers.flatMap((provider) =>
      [`[[fault endless ${GIGABYTE}]]`, '[[label good]]'].map((output) => ({
        evaluator: {
          inlineLlmEvaluator: {
            name: 'inline',
            promptVersion: promptOf(provider),
            outputConfigs: [categorical('quality')],
          },
        },
        context: { output },
        inputMapping: mapping(),
      })),
    );
    await resetPeak();
    const before = await peakMib();

    const { results } = (await ask(PREVIEW, { input: { previews } })).evaluatorPreviews;

    for (const [index, { error, annotation }] of results.entries()) {
      if (index % 2 === 1) assert.deepEqual([error, annotation.label], [null, 'good']);
      else assert.match(error, /more than|larger|too long|too large|at most/i);
    }
    const growth = (await peakMib()) - before;
    t.diagnostic(`${Math.round(growth)} MiB more resident memory than the ${Math.round(before)} MiB before`);
    assert.ok(growth < GROWTH_MIB_MAX, `${growth} MiB`);
  });
});
