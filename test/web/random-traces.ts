import type { SeededRandom } from '../fixtures/seeded-random.ts';
import { hexId, type SeedSpan } from './seed.ts';

export interface PlainSpan {
  readonly project: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: 'AGENT' | 'LLM' | 'TOOL' | 'CHAIN';
  readonly isError: boolean;
  /** Unix time in ms. */
  readonly start: number;
  readonly latencyMs: number;
  /** Model of an LLM span. */
  readonly model: string | undefined;
  readonly prompt: number;
  readonly completion: number;
  readonly session: string | undefined;
  readonly user: string;
  readonly tier: string;
}

export interface PlainTrace {
  readonly traceId: string;
  readonly spans: readonly PlainSpan[];
  readonly root: PlainSpan;
  readonly start: number;
  readonly end: number;
  readonly session: string | undefined;
}

export interface PlainSession {
  readonly sessionId: string;
  readonly traces: readonly PlainTrace[];
  readonly start: number;
  readonly end: number;
}

/** Model with a price from the test: one and two dollars per million prompt and completion tokens. */
export const PRICED_MODEL = 'priced-by-the-test';
export const NAMES = ['agent', 'plan', 'search', 'answer', 'rank'] as const;
export const TIERS = ['free', 'pro', 'team'] as const;
const KINDS = ['AGENT', 'LLM', 'LLM', 'TOOL', 'CHAIN'] as const;
const TRACE_COUNT = 140;
const HOURS = 6;

/** Cost in dollars of one side, or of both. */
export function costOf(span: PlainSpan, side?: 'prompt' | 'completion'): number {
  if (span.model !== PRICED_MODEL) return 0;
  const prompt = side === 'completion' ? 0 : span.prompt * 1e-6;
  return prompt + (side === 'prompt' ? 0 : span.completion * 2e-6);
}

/** Spans in send order. Roots and other parents often follow their children. */
export function randomSpans(random: SeededRandom, project: string, now: number, first: number): PlainSpan[] {
  const spans: PlainSpan[] = [];
  for (let number = 0; number < TRACE_COUNT; number++) {
    const traceId = hexId(first + number, 16);
    const start = now - HOURS * 3_600_000 + random.below(HOURS * 3_600_000 - 120_000);
    const session = random.chance(0.6) ? `${project} ${random.below(12)}` : undefined;
    const count = 1 + random.below(7);
    const ids = Array.from({ length: count }, (_, index) => hexId((first + number) * 100 + index, 8));
    for (const [index, spanId] of ids.entries()) {
      const kind = random.pick(KINDS);
      const isLlm = kind === 'LLM';
      spans.push({
        project,
        traceId,
        spanId,
        parentSpanId: parentOf(random, ids, index),
        name: random.pick(NAMES),
        kind,
        isError: random.chance(0.15),
        // Some start together with their parent, and some before it.
        start: start + (random.chance(0.3) ? 0 : random.below(60_000)),
        latencyMs: random.below(20_000),
        model: isLlm && random.chance(0.9) ? (random.chance(0.7) ? PRICED_MODEL : 'without-price') : undefined,
        prompt: isLlm ? random.below(2_000) : 0,
        completion: isLlm ? random.below(500) : 0,
        session: index === 0 || random.chance(0.6) ? session : undefined,
        user: `user-${random.below(5)}`,
        tier: random.pick(TIERS),
      });
    }
  }
  return random.shuffle(spans);
}

/** Mostly a span of the trace. Some spans name a parent that never arrives, and a few name none. */
function parentOf(random: SeededRandom, ids: readonly string[], index: number): string | undefined {
  if (index === 0) return random.chance(0.15) ? 'ffffffffffffff00' : undefined;
  if (random.chance(0.06)) return 'ffffffffffffff01';
  return random.chance(0.05) ? undefined : ids[random.below(index)];
}

/** Converts a span to the form that an exporter sends. */
export const toSeedSpan = (span: PlainSpan): SeedSpan => ({
  ...span,
  ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
  attributes: {
    'openinference.span.kind': span.kind,
    'user.id': span.user,
    metadata: JSON.stringify({ tier: span.tier }),
    ...(span.session !== undefined && { 'session.id': span.session }),
    ...(span.model !== undefined && { 'llm.model_name': span.model }),
    ...(span.kind === 'LLM' && {
      'llm.token_count.prompt': span.prompt,
      'llm.token_count.completion': span.completion,
    }),
  },
});

/** Groups spans by trace. Their send order decides between roots that start at the same time. */
export function toTraces(spans: readonly PlainSpan[]): PlainTrace[] {
  return Array.from(
    groupBy(spans, ({ traceId }) => traceId),
    ([traceId, ofTrace]) => {
      const ids = new Set(ofTrace.map(({ spanId }) => spanId));
      const roots = ofTrace.filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId));
      return {
        traceId,
        spans: ofTrace,
        root: roots.reduce((root, each) => (each.start <= root.start ? each : root)),
        ...hull(ofTrace.map(({ start, latencyMs }) => ({ start, end: start + latencyMs }))),
        session: ofTrace.find(({ session }) => session !== undefined)?.session,
      };
    },
  );
}

export function toSessions(traces: readonly PlainTrace[]): PlainSession[] {
  const named = traces.filter(({ session }) => session !== undefined);
  return Array.from(
    groupBy(named, ({ session }) => session!),
    ([sessionId, ofSession]) => ({
      sessionId,
      traces: ofSession,
      ...hull(ofSession),
    }),
  );
}

const hull = (all: readonly { readonly start: number; readonly end: number }[]) => ({
  start: Math.min(...all.map(({ start }) => start)),
  end: Math.max(...all.map(({ end }) => end)),
});

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
