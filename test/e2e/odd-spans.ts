import { randomBytes } from 'node:crypto';

import type { OtlpSpan } from './otlp-request.ts';

/** When the spans of these tests start. */
export const START = 1_770_000_000_000_000_000n;

/** A good span with ids of its own, but for the changes. */
export function span(changes: Partial<OtlpSpan> = {}): OtlpSpan {
  return {
    traceId: randomBytes(16),
    spanId: randomBytes(8),
    name: 'good',
    startTimeUnixNano: START,
    endTimeUnixNano: START + 1_000_000n,
    attributes: { 'input.value': 'good input' },
    ...changes,
  };
}
