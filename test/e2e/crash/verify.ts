import assert from 'node:assert/strict';
import { listSpans, listTraces, type RestSpan } from '../rest.ts';
import { type Ledger, projectsOf, roundStartTime, type SentRequest, type SentSpan } from './ledger.ts';

export interface Verified {
  readonly spanCount: number;
  /** Requests whose connection broke, by what the server made of them. */
  readonly keptUnknownCount: number;
  readonly lostUnknownCount: number;
}

/** Which rounds' spans are read: one, or all. */
export type Scope = { readonly round: number } | 'all';

/**
 * Reads the spans of the scope from every project and holds them against the ledger: what was acknowledged is there
 * exactly once and as it was sent, a request is there as a whole or not at all, and nothing else is there.
 */
export async function verify(serverUrl: string, ledger: Ledger, scope: Scope): Promise<Verified> {
  const window: Readonly<Record<string, string>> =
    scope === 'all' ? {} : { start_time: roundStartTime(scope.round), end_time: roundStartTime(scope.round + 1) };
  const requests = ledger.requests.filter(({ round }) => scope === 'all' || round === scope.round);
  const projects = projectsOf({ ...ledger, requests });
  const stored = await readStored(serverUrl, projects, window);
  const known = new Set<string>();
  let keptUnknownCount = 0;
  let lostUnknownCount = 0;
  for (const request of requests) {
    for (const span of request.spans) known.add(span.spanId);
    const verdict = checkRequest(request, stored, ledger);
    if (request.outcome === 'unknown') verdict === 'whole' ? keptUnknownCount++ : lostUnknownCount++;
  }
  for (const [spanId, { project }] of stored)
    assert.ok(known.has(spanId), `span ${spanId} in '${project}' was never sent`);
  await checkTraces(serverUrl, projects, window, stored);
  return { spanCount: stored.size, keptUnknownCount, lostUnknownCount };
}

interface StoredSpan {
  readonly span: RestSpan;
  readonly project: string;
}

async function readStored(
  serverUrl: string,
  projects: Iterable<string>,
  window: Readonly<Record<string, string>>,
): Promise<Map<string, StoredSpan>> {
  const stored = new Map<string, StoredSpan>();
  for (const project of projects) {
    for (const span of await listSpans(serverUrl, project, window)) {
      const spanId = span.context.span_id;
      const twin = stored.get(spanId);
      assert.ok(!twin, `span ${spanId} is stored twice, in '${twin?.project}' and '${project}'`);
      stored.set(spanId, { span, project });
    }
  }
  return stored;
}

function checkRequest(
  request: SentRequest,
  stored: ReadonlyMap<string, StoredSpan>,
  ledger: Ledger,
): 'whole' | 'absent' {
  // A deleted trace takes its spans from the request that brought them.
  const expected = request.spans.filter(
    ({ traceId }) => !ledger.deletedTraceIds.has(traceId) && !ledger.perhapsDeletedTraceIds.has(traceId),
  );
  const there = expected.filter(({ spanId }) => stored.has(spanId));
  for (const span of there) checkSpan(span, stored.get(span.spanId)!);
  for (const { traceId, spanId } of request.spans) {
    assert.ok(!ledger.deletedTraceIds.has(traceId) || !stored.has(spanId), `span ${spanId} of a deleted trace is back`);
  }
  const [missing] = expected.filter(({ spanId }) => !stored.has(spanId));
  const counts = `${there.length} of ${expected.length} spans`;
  if (request.outcome === 'acknowledged')
    assert.ok(!missing, `acknowledged in round ${request.round}, now ${counts}; ${missing?.spanId} is lost`);
  if (request.outcome === 'refused')
    assert.equal(there.length, 0, `refused in round ${request.round}, yet ${counts} are there`);
  assert.ok(
    there.length === 0 || there.length === expected.length,
    `a request of round ${request.round} is there in part: ${counts}`,
  );
  return missing ? 'absent' : 'whole';
}

function checkSpan(sent: SentSpan, { span, project }: StoredSpan): void {
  assert.equal(project, sent.project, `span ${sent.spanId} is in another project`);
  assert.deepEqual(
    [
      span.context.trace_id,
      span.parent_id,
      span.name,
      span.attributes['input.value'],
      span.attributes['llm.token_count.prompt'],
    ],
    [sent.traceId, sent.parentSpanId ?? null, sent.name, sent.input, sent.tokensPrompt],
  );
}

/** A trace's row is kept at commit; a replay that counted a span twice, or not, shows in its sums. */
async function checkTraces(
  serverUrl: string,
  projects: Iterable<string>,
  window: Readonly<Record<string, string>>,
  stored: ReadonlyMap<string, StoredSpan>,
): Promise<void> {
  const tokensOf = new Map<string, number>();
  for (const { span } of stored.values()) {
    const traceId = span.context.trace_id;
    tokensOf.set(traceId, (tokensOf.get(traceId) ?? 0) + Number(span.attributes['llm.token_count.prompt']));
  }
  const seen = new Set<string>();
  for (const project of projects) {
    for (const trace of await listTraces(serverUrl, project, window)) {
      assert.ok(!seen.has(trace.trace_id), `trace ${trace.trace_id} is listed twice`);
      seen.add(trace.trace_id);
      assert.equal(trace.token_count_prompt, tokensOf.get(trace.trace_id), `prompt tokens of trace ${trace.trace_id}`);
    }
  }
  assert.equal(seen.size, tokensOf.size, 'as many traces are listed as the spans belong to');
}
