import { hash } from 'node:crypto';
import { toCanonicalJson } from '../../base/canonical-json.ts';
import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { ExampleContent } from '../../model/dataset.ts';

/** Content of an example before it is stored. */
export interface ExampleObjects {
  readonly input: ExactJsonObject;
  readonly output: ExactJsonObject;
  readonly metadata: ExactJsonObject;
}

/**
 * The first 16 bytes of SHA-256 over the canonical JSON of `{"input":…,"metadata":…,"output":…}`.
 *
 * @param texts JSON of the objects, which often is canonical.
 */
export function contentHash({ input, output, metadata }: ExampleObjects, texts: ExampleContent): Buffer {
  const text = `{"input":${canonical(input, texts.input)},"metadata":${canonical(metadata, texts.metadata)},"output":${canonical(output, texts.output)}}`;
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

/** The text of an object of sorted keys with plain values is canonical. */
function canonical(object: ExactJsonObject, text: string): string {
  let previous = '';
  for (const key in object) {
    const value = object[key];
    if (key < previous || (typeof value === 'object' && value !== null)) return toCanonicalJson(object);
    previous = key;
  }
  return text;
}
