import { type ExactJson, ExactNumber, toExactJsonText } from '../../../base/exact-json.ts';
import { expectPresent } from '../../../base/expect-present.ts';
import { type HttpResponse, jsonTextResponse } from '../../../server/route.ts';
import type { RequestWork } from './request-work.ts';

/** Number of characters that are collected before they are encoded. */
const CHUNK_CHARS = 64 * 1_024;
/** Number of values between two checks of the time slice. */
const VALUES_BETWEEN_LOOKS = 512;

/**
 * Builds a JSON response. Serializing a large one yields to other work.
 *
 * @throws {SpandrelError} when the request ends before the whole text is written
 */
export async function jsonResponse(value: ExactJson, work: RequestWork): Promise<HttpResponse> {
  if (!work.isLarge) return jsonTextResponse(200, toExactJsonText(value));
  const chunks: Uint8Array[] = [];
  let count = 0;
  let text = '';
  for (const part of jsonParts(value)) {
    text += part;
    if (text.length > CHUNK_CHARS) {
      chunks.push(Buffer.from(text));
      text = '';
    }
    if (++count % VALUES_BETWEEN_LOOKS === 0 && work.slices.isOver()) {
      await Promise.race([work.slices.wait(work.signal), work.ended]);
    }
  }
  chunks.push(Buffer.from(text));
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.concat(chunks) };
}

function isFlat(value: Readonly<Record<string, unknown>> | readonly unknown[]): boolean {
  if (Array.isArray(value)) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key in fields) if (typeof fields[key] === 'object' && fields[key] !== null) return false;
  return true;
}

interface Frame {
  readonly value: ExactJson[] | Record<string, ExactJson | undefined>;
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined;
  next: number;
  isEmpty: boolean;
}

/** Yields the JSON text of a value in parts. Without recursion, each part takes the same time at any depth. */
function* jsonParts(root: ExactJson): Generator<string> {
  const frames: Frame[] = [];
  let value: ExactJson | undefined = root;
  for (;;) {
    if (value !== undefined) {
      if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) {
        const isList = Array.isArray(value);
        if (isFlat(value)) yield toExactJsonText(value);
        else {
          frames.push({ value, keys: isList ? undefined : Object.keys(value), next: 0, isEmpty: true });
          yield isList ? '[' : '{';
        }
      } else yield toExactJsonText(value);
    }
    const frame = frames.at(-1);
    if (!frame) return;
    const { keys } = frame;
    const index = frame.next++;
    if (index === (keys ?? (frame.value as ExactJson[])).length) {
      frames.pop();
      yield keys ? '}' : ']';
      value = undefined;
      if (frames.length === 0) return;
      continue;
    }
    if (keys) {
      const key = expectPresent(keys[index], 'the index is below the number of keys');
      value = (frame.value as Record<string, ExactJson | undefined>)[key];
      if (value === undefined) continue;
      yield `${frame.isEmpty ? '' : ','}${JSON.stringify(key)}:`;
    } else {
      // `JSON.stringify` writes the same.
      value = (frame.value as (ExactJson | undefined)[])[index] ?? null;
      if (!frame.isEmpty) yield ',';
    }
    frame.isEmpty = false;
  }
}
