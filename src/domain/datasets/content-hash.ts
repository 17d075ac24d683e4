import { hash } from 'node:crypto';
import { toCanonicalJson } from '../../base/canonical-json.ts';
import type { ExactJsonObject } from '../../base/exact-json.ts';

/** Content of an example before it is stored. */
export interface ExampleObjects {
  readonly input: ExactJsonObject;
  readonly output: ExactJsonObject;
  readonly metadata: ExactJsonObject;
}

/** The first 16 bytes of SHA-256 over the canonical JSON of `{"input":…,"metadata":…,"output":…}`. */
export function contentHash({ input, output, metadata }: ExampleObjects): Buffer {
  const text = `{"input":${toCanonicalJson(input)},"metadata":${toCanonicalJson(metadata)},"output":${toCanonicalJson(output)}}`;
  return hash('sha256', text, 'buffer').subarray(0, 16);
}
