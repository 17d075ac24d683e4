import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** A span as `GET /v1/projects/{project}/spans` shows it. */
export interface RestSpan {
  readonly id: string;
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly span_kind: string;
  readonly parent_id: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly status_code: string;
  readonly status_message: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly timestamp: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/** A trace as `GET /v1/projects/{project}/traces` shows it. */
export interface RestTrace {
  readonly id: string;
  readonly trace_id: string;
  readonly project_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly token_count_prompt: number;
  readonly token_count_completion: number;
  readonly token_count_total: number;
  readonly spans:
    | readonly { readonly span_id: string; readonly parent_id: string | null; readonly name: string }[]
    | null;
}

export interface RestPage<Item> {
  readonly data: Item[];
  readonly next_cursor: string | null;
}

export const PAGE_LIMIT_MAX = 1_000;

/** @throws AssertionError unless the answer is 200. */
export async function getJson<T>(url: string): Promise<T> {
  const get = () => fetch(url);
  // The server may just have closed an idle connection, and browsers retry then too.
  const response = await get().catch(get);
  const text = await response.text();
  assert.equal(response.status, 200, `GET ${url} → ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}

/** Every page of a list, in its order. */
export async function* listAll<Item>(url: string, query: Readonly<Record<string, string>> = {}): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const search = new URLSearchParams({
      limit: String(PAGE_LIMIT_MAX),
      ...query,
      ...(cursor === null ? {} : { cursor }),
    });
    const page: RestPage<Item> = await getJson(`${url}?${search}`);
    yield* page.data;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

export const projectPath = (serverUrl: string, project: string) =>
  `${serverUrl}/v1/projects/${encodeURIComponent(project)}`;

/** Every span of a project, newest first; none while the project does not exist. */
export async function listSpans(
  serverUrl: string,
  project: string,
  query: Readonly<Record<string, string>> = {},
): Promise<RestSpan[]> {
  const spans: RestSpan[] = [];
  if (!(await projectExists(serverUrl, project))) return spans;
  for await (const span of listAll<RestSpan>(`${projectPath(serverUrl, project)}/spans`, query)) spans.push(span);
  return spans;
}

export async function listTraces(
  serverUrl: string,
  project: string,
  query: Readonly<Record<string, string>> = {},
): Promise<RestTrace[]> {
  const traces: RestTrace[] = [];
  if (!(await projectExists(serverUrl, project))) return traces;
  for await (const trace of listAll<RestTrace>(`${projectPath(serverUrl, project)}/traces`, query)) traces.push(trace);
  return traces;
}

async function projectExists(serverUrl: string, project: string): Promise<boolean> {
  const response = await fetch(projectPath(serverUrl, project));
  await response.arrayBuffer();
  return response.status !== 404;
}

/** A write is visible within a second; a loaded machine may take longer. */
const VISIBLE_MS_MAX = 30_000;

/** Runs `claim` until it no longer throws, and gives what it returns. What it threw last is thrown when time is up. */
export async function eventually<T>(claim: () => Promise<T>, msMax = VISIBLE_MS_MAX): Promise<T> {
  const deadline = Date.now() + msMax;
  for (;;) {
    try {
      return await claim();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(50);
    }
  }
}

/** Waits until a project shows at least `count` spans, and gives them, newest first. */
export const spansOnceThere = (
  serverUrl: string,
  project: string,
  count: number,
  query: Readonly<Record<string, string>> = {},
) =>
  eventually(async () => {
    const spans = await listSpans(serverUrl, project, query);
    assert.ok(spans.length >= count, `${spans.length} of ${count} spans are there`);
    return spans;
  });
