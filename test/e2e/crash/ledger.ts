import type { SeededRandom } from '../../fixtures/seeded-random.ts';
import { encodeTraceRequest, type OtlpSpan } from '../otlp-request.ts';

/** A span that was sent: what must come back. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly project: string;
  readonly input: string;
  readonly tokensPrompt: number;
}

/**
 * What the sender knows of a request. `unknown`: the connection broke, so the server may hold all of it or nothing.
 * `refused`: the server said no, so it holds nothing.
 */
export type Outcome = 'unknown' | 'acknowledged' | 'refused';

export interface SentRequest {
  readonly round: number;
  readonly body: Uint8Array;
  readonly spans: readonly SentSpan[];
  outcome: Outcome;
}

/** Everything that was ever sent to one data directory, and what became of it: the model that the server is held to. */
export interface Ledger {
  readonly requests: SentRequest[];
  /** Traces whose deletion was acknowledged. */
  readonly deletedTraceIds: Set<string>;
  /** Traces whose deletion was cut off: there or gone. */
  readonly perhapsDeletedTraceIds: Set<string>;
}

export const newLedger = (): Ledger => ({
  requests: [],
  deletedTraceIds: new Set(),
  perhapsDeletedTraceIds: new Set(),
});

const PROJECTS = ['crash one', 'crash two', 'crash – drei'] as const;

/** Projects that requests of a round name. Each round has its own project, which its spans create. */
const projectsOfRound = (round: number) => [...PROJECTS, `crash of round ${round}`];
export const projectsOf = ({ requests }: Ledger): Set<string> =>
  new Set(requests.flatMap(({ spans }) => spans.map(({ project }) => project)));

const EPOCH_NANO = 1_770_000_000_000_000_000n;
const ROUND_NANO = 3_600_000_000_000n;
/** Start of a round's spans: an hour for each, so that a time filter reads one round alone. */
export const roundStartNano = (round: number): bigint => EPOCH_NANO + BigInt(round) * ROUND_NANO;
export const roundStartTime = (round: number): string =>
  new Date(Number(roundStartNano(round) / 1_000_000n)).toISOString();

/** Two requests that share traces: the first has the children, the second the roots. Each trace has two to six spans. */
export function newRequestPair(random: SeededRandom, round: number): [SentRequest, SentRequest] {
  const project = random.pick(projectsOfRound(round));
  const children: SentSpan[] = [];
  const roots: SentSpan[] = [];
  for (let traceCount = 1 + random.below(25); traceCount > 0; traceCount--) {
    const traceId = hex(random.bytes(16));
    const rootId = hex(random.bytes(8));
    roots.push(newSpan(random, { traceId, spanId: rootId, parentSpanId: undefined, project }));
    for (let childCount = 1 + random.below(5); childCount > 0; childCount--) {
      children.push(newSpan(random, { traceId, spanId: hex(random.bytes(8)), parentSpanId: rootId, project }));
    }
  }
  return [newRequest(random, round, children), newRequest(random, round, roots)];
}

function newSpan(
  random: SeededRandom,
  ids: Pick<SentSpan, 'traceId' | 'spanId' | 'parentSpanId' | 'project'>,
): SentSpan {
  // Long inputs now and then, so that records cross the pages of the journal at many offsets.
  const length = random.chance(0.03) ? 20_000 : random.below(300);
  return {
    ...ids,
    name: `step ${random.below(1_000)}`,
    input: `${ids.spanId} ${'lorem ipsum 🦊 '.repeat(Math.ceil(length / 14))}`,
    tokensPrompt: random.below(1_000),
  };
}

function newRequest(random: SeededRandom, round: number, spans: readonly SentSpan[]): SentRequest {
  const toOtlp = (span: SentSpan): OtlpSpan => {
    const startTimeUnixNano = roundStartNano(round) + BigInt(random.below(3_000_000)) * 1_000_000n;
    return {
      traceId: span.traceId,
      spanId: span.spanId,
      ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
      name: span.name,
      startTimeUnixNano,
      endTimeUnixNano: startTimeUnixNano + 1_000_000_000n,
      attributes: {
        'openinference.span.kind': 'LLM',
        'session.id': `session ${span.traceId.slice(0, 3)}`,
        'input.value': span.input,
        'llm.token_count.prompt': span.tokensPrompt,
      },
    };
  };
  const body = encodeTraceRequest({ project: spans[0]?.project ?? PROJECTS[0], spans: spans.map(toOtlp) });
  return { round, body, spans, outcome: 'unknown' };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
