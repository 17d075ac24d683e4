import assert from 'node:assert/strict';

export interface SeedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** ms since the epoch. */
  readonly start: number;
  readonly latencyMs: number;
  readonly isError?: boolean;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly exception?: { readonly type: string; readonly message: string; readonly stack: string };
}

export const hexId = (number: number, bytes: number): string => number.toString(16).padStart(bytes * 2, '0');

/** Sends spans as an exporter does, and waits until as many can be read in the project. */
export async function seed(url: string, project: string, spans: readonly SeedSpan[]): Promise<void> {
  const before = await countSpans(url, project);
  for (let at = 0; at < spans.length; at += 20_000) {
    const response = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(toRequest(project, spans.slice(at, at + 20_000))),
    });
    assert.equal(response.status, 200, await response.text());
  }
  const deadline = Date.now() + 60_000;
  while ((await countSpans(url, project)) < before + spans.length) {
    assert(Date.now() < deadline, 'the spans arrive');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export async function graphql<Data>(url: string, query: string, variables: object = {}): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const answer = (await response.json()) as { data: Data; errors?: unknown };
  assert.equal(answer.errors, undefined, JSON.stringify(answer.errors));
  return answer.data;
}

/** Global ID of a project. */
export async function projectId(url: string, name: string): Promise<string> {
  const query = 'query ($name: String!) { getProjectByName(name: $name) { id } }';
  const { getProjectByName: project } = await graphql<{ getProjectByName: { id: string } | null }>(url, query, {
    name,
  });
  assert(project, `there is a project ${name}`);
  return project.id;
}

async function countSpans(url: string, name: string): Promise<number> {
  const query = 'query ($name: String!) { getProjectByName(name: $name) { recordCount } }';
  const { getProjectByName: project } = await graphql<{ getProjectByName: { recordCount: number } | null }>(
    url,
    query,
    {
      name,
    },
  );
  return project?.recordCount ?? 0;
}

function toRequest(project: string, spans: readonly SeedSpan[]): object {
  const resource = { attributes: [{ key: 'openinference.project.name', value: { stringValue: project } }] };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: spans.map(toOtlp) }] }] };
}

function toOtlp(span: SeedSpan): object {
  const { traceId, spanId, parentSpanId, name, start, latencyMs, isError, attributes = {}, exception } = span;
  const attribute = ([key, value]: readonly [string, string | number]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : Number.isInteger(value)
          ? { intValue: String(value) }
          : { doubleValue: value },
  });
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    startTimeUnixNano: toNano(start),
    endTimeUnixNano: toNano(start + latencyMs),
    attributes: Object.entries(attributes).map(attribute),
    status: isError ? { code: 2, message: exception?.message ?? '' } : {},
    events: exception
      ? [
          {
            name: 'exception',
            timeUnixNano: toNano(start + latencyMs),
            attributes: Object.entries({
              'exception.type': exception.type,
              'exception.message': exception.message,
              'exception.stacktrace': exception.stack,
            }).map(attribute),
          },
        ]
      : [],
  };
}

const toNano = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);
