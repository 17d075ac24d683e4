import type { ExactJson } from '../../base/exact-json.ts';
import { isJsonObject } from '../../base/exact-json.ts';
import { ModelError, type ModelErrorKind } from '../contract/model-error.ts';
import { retryAfterMs } from './retry-after.ts';
import { scrub } from './scrub.ts';

/** A response with an error status, or with JSON instead of the requested stream. */
export interface FailedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The beginning of the body. */
  readonly bodyText: string;
}

/** Converts such a response to an error with the vendor's own words. */
export function toResponseError({ status, headers, bodyText }: FailedResponse, secrets: readonly string[]): ModelError {
  const body = parseJson(bodyText);
  if (status < 300) {
    return vendorMessage(body) === undefined
      ? new ModelError('unreadable', 'The model endpoint responded with JSON instead of a stream.', { status })
      : toEventError(body, secrets);
  }
  const text =
    vendorMessage(body) ?? plainText(bodyText, headers) ?? `The model endpoint responded with status ${status}.`;
  const waitMs = status === 429 || status >= 500 ? retryAfterMs(headers, retryDelay(body)) : undefined;
  return new ModelError(kindOf(status, body), scrub(redirectText(status, headers) ?? text, secrets), {
    status,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  });
}

/**
 * Converts the error object of an event, which a vendor sends after the status 200.
 *
 * @param body the event or the value of its `error`
 */
export function toEventError(body: unknown, secrets: readonly string[]): ModelError {
  const code = errorWords(body);
  const kind: ModelErrorKind = /insufficient_quota/.test(code)
    ? 'rejected'
    : /rate_?limit|throttl|resource_exhausted|too_many/i.test(code)
      ? 'rateLimited'
      : /server_error|overloaded|unavailable|internal|timeout|^5\d\d$/im.test(code)
        ? 'unavailable'
        : 'rejected';
  return new ModelError(kind, scrub(vendorMessage(body) ?? 'The model endpoint reported an error.', secrets));
}

function kindOf(status: number, body: unknown): ModelErrorKind {
  // A used-up budget: the same request fails again until the account has credit.
  if (status === 429 && /insufficient_quota/.test(errorWords(body))) return 'rejected';
  if (status === 429) return 'rateLimited';
  if (status === 408) return 'timedOut';
  return status >= 500 ? 'unavailable' : 'rejected';
}

function redirectText(status: number, headers: Headers): string | undefined {
  if (status < 300 || status > 399) return undefined;
  const location = headers.get('location');
  const target = location !== null && URL.canParse(location) ? ` to ${new URL(location).host}` : '';
  return `The model endpoint responded with a redirect${target} (status ${status}), which is not followed.`;
}

/** `{error: {message}}` of most vendors, `{message}` of AWS, `{detail}`, `{error: "text"}`, and lists of one such object. */
export function vendorMessage(body: unknown): string | undefined {
  const value = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(value)) return undefined;
  const { error } = value;
  if (isJsonObject(error)) return text(error.message) ?? text(error.code) ?? text(error.type);
  const detail: ExactJson | undefined = Array.isArray(value.detail) ? value.detail[0] : value.detail;
  return (
    text(error) ??
    text(value.message) ??
    text(value.Message) ??
    text(detail) ??
    (isJsonObject(detail) ? text(detail.msg) : undefined)
  );
}

/** Type, code and status of an error, which decide about its kind. */
function errorWords(body: unknown): string {
  const value = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(value)) return '';
  const error = isJsonObject(value.error) ? value.error : value;
  return [error.type, error.code, error.status].filter((word) => typeof word !== 'object').join('\n');
}

/** Google names the wait in the body. */
function retryDelay(body: unknown): string | undefined {
  const value = Array.isArray(body) ? body[0] : body;
  const details = isJsonObject(value) && isJsonObject(value.error) ? value.error.details : undefined;
  if (!Array.isArray(details)) return undefined;
  return details.map((one) => (isJsonObject(one) ? text(one.retryDelay) : undefined)).find((one) => one !== undefined);
}

/** A body that is not JSON. Only the title of a page is meaningful. */
function plainText(bodyText: string, headers: Headers): string | undefined {
  if (/html/.test(headers.get('content-type') ?? '') || /^\s*</.test(bodyText)) {
    return text(/<title>([^<]{1,200})<\/title>/i.exec(bodyText)?.[1]);
  }
  return text(bodyText);
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

function parseJson(bodyText: string): unknown {
  try {
    return JSON.parse(bodyText);
  } catch {
    return undefined;
  }
}
