import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { span } from './odd-spans.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { eventually, getJson, type RestPage, type RestSpan } from './rest.ts';
import { tryServer } from './tried-server.ts';

const MiB = 2 ** 20;
const PROJECT = 'long texts';
const TRACE_ID = '7'.repeat(32);
/** Two of them fit into a page of 64 MiB, and four into what named spans may hold. */
const TEXT_BYTES = 30 * MiB;
const SPAN_COUNT = 5;

describe('spans whose texts exceed a page', () => {
  const tried = tryServer();

  test('are listed in shorter pages over REST, without gaps', async () => {
    for (let index = 0; index < SPAN_COUNT; index++) {
      const attributes = { 'input.value': `${index} `.padEnd(TEXT_BYTES, 'abcdefgh') };
      const body = encodeTraceRequest({
        project: PROJECT,
        spans: [{ ...span(), traceId: TRACE_ID, name: `long ${index}`, attributes }],
      });
      assert.ok((await tried.http.send(body)).isAcknowledged);
    }
    const url = `${tried.server.url}/v1/projects/${encodeURIComponent(PROJECT)}/spans`;

    const newestFirst = [['long 4', 'long 3'], ['long 2', 'long 1'], ['long 0']];
    await eventually(async () => assert.deepEqual(await namesOfPages(`${url}?limit=100`), newestFirst));
    assert.deepEqual(await namesOfPages(`${url}?limit=100&trace_id=${TRACE_ID}`), newestFirst);
    assert.deepEqual(await namesOfPages(`${url}/otlpv1?limit=100`), newestFirst);
  });

  test('are exported in chunks', async () => {
    const url = `${tried.server.url}/v1/projects/${encodeURIComponent(PROJECT)}/spans/export`;
    const response = await fetch(url);
    let byteCount = 0;
    for await (const piece of response.body ?? []) byteCount += (piece as Uint8Array).byteLength;
    assert.ok(byteCount > SPAN_COUNT * TEXT_BYTES, `${byteCount} bytes`);
  });

  test('are rejected together over GraphQL with a suggestion, and returned separately', async () => {
    const { data } = await getJson<{ data: { id: string } }>(
      `${tried.server.url}/v1/projects/${encodeURIComponent(PROJECT)}`,
    );
    const query = `query($id: ID!, $first: Int!) {
      node(id: $id) { ... on Project { spans(first: $first) { edges { node { attributes } } } } }
    }`;
    const post = async (first: number) => {
      const response = await fetch(`${tried.server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { id: data.id, first } }),
      });
      return response.text();
    };
    assert.match(await post(SPAN_COUNT), /its texts have more than 134217728 (bytes|characters); request fewer/);
    assert.ok((await post(1)).length > TEXT_BYTES);
  });
});

/** Names of a list's spans, page by page. */
async function namesOfPages(url: string): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page: RestPage<RestSpan> = await getJson(cursor ? `${url}&cursor=${encodeURIComponent(cursor)}` : url);
    pages.push(page.data.map(({ name }) => name));
    cursor = page.next_cursor;
  } while (cursor);
  return pages;
}
