import { MODEL_LIMIT_COUNT_MAX } from '../../model/limits/model-calls.ts';
import type { VendorLimit } from '../../model/models/vendor-limit.ts';
import { resetMs } from './retry-after.ts';

/** `x-ratelimit-remaining-requests`, `anthropic-ratelimit-requests-remaining`, `ratelimit-remaining`. */
const HEADER = /ratelimit-(?:(.+)-)?(limit|remaining|reset)(?:-(.+))?$/;

/**
 * The limits that the headers of a response state as a whole: size, what remains, and when it is full again. Others are too vague
 * to follow them. Limits of something else than requests and tokens are skipped.
 */
export function readLimits(headers: Headers, nowMs = Date.now()): VendorLimit[] {
  const found = new Map<string, Map<string, string>>();
  for (const [header, value] of headers) {
    const [match, before, word, after] = HEADER.exec(header) ?? [];
    if (match === undefined || word === undefined) continue;
    const name = before ?? after ?? '';
    const known = found.get(name);
    if (known) known.set(word, value);
    else if (found.size < MODEL_LIMIT_COUNT_MAX) found.set(name, new Map([[word, value]]));
  }
  return [...found].flatMap(([name, values]) => toLimit(name, values, nowMs) ?? []);
}

function toLimit(name: string, values: ReadonlyMap<string, string>, nowMs: number): VendorLimit | undefined {
  const unit = unitOf(name);
  const limit = toCount(values.get('limit'));
  const remaining = toCount(values.get('remaining'));
  const wait = resetMs(values.get('reset') ?? null, nowMs);
  if (unit === undefined || limit === undefined || remaining === undefined || wait === undefined) return undefined;
  if (limit <= 0 || remaining > limit || wait <= 0) return undefined;
  return { name, unit, limit, remaining, resetMs: wait };
}

function unitOf(name: string): VendorLimit['unit'] | undefined {
  if (/token/.test(name)) return 'tokens';
  return name === '' || /^req/.test(name) ? 'requests' : undefined;
}

/** `100`, and `100, 100;w=60` of the proposed standard. */
function toCount(text: string | undefined): number | undefined {
  const [digits] = /^\d{1,15}(?=\s*(?:[,;]|$))/.exec(text ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
