import { MODEL_RETRY_AFTER_MS_MAX } from '../../model/limits/model-calls.ts';

/**
 * The wait that a vendor requests, in milliseconds: `retry-after-ms`, `Retry-After` as seconds or a date, then the reset times of exhausted
 * limits in the headers of OpenAI, Anthropic and their like. `bodyDelay` is a delay from the body, such as Google's `34s`.
 */
export function retryAfterMs(headers: Headers, bodyDelay: string | undefined, nowMs = Date.now()): number | undefined {
  const waits = [
    toMs(headers.get('retry-after-ms'), 1),
    toMs(headers.get('retry-after'), 1_000) ?? untilDate(headers.get('retry-after'), nowMs),
    durationMs(bodyDelay ?? null),
    exhaustedLimitMs(headers, nowMs),
  ];
  const wait = waits.find((one) => one !== undefined);
  return wait === undefined ? undefined : Math.min(Math.max(0, Math.ceil(wait)), MODEL_RETRY_AFTER_MS_MAX);
}

/** The longest reset of a limit of which nothing remains. */
function exhaustedLimitMs(headers: Headers, nowMs: number): number | undefined {
  const waits = [...headers]
    .filter(([name, value]) => /ratelimit.*-remaining|ratelimit-remaining/.test(name) && Number(value) === 0)
    .map(([name]) => headers.get(name.replace('remaining', 'reset')))
    .map((reset) => resetMs(reset, nowMs))
    .filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A duration (`6m0s`), a date, seconds, or seconds since 1970. */
export function resetMs(text: string | null, nowMs: number): number | undefined {
  const seconds = toMs(text, 1_000);
  if (seconds !== undefined) return seconds > 1e12 ? seconds - nowMs : seconds;
  return durationMs(text) ?? untilDate(text, nowMs);
}

function toMs(text: string | null, unitMs: number): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * unitMs : undefined;
}

function untilDate(text: string | null, nowMs: number): number | undefined {
  const at = text === null || !/[a-z]/i.test(text) ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : at - nowMs;
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
]);

function durationMs(text: string | null): number | undefined {
  if (text === null || text.length > 40 || !/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    total += Number(count) * (UNIT_MS.get(unit ?? '') ?? 0);
  }
  return total;
}
