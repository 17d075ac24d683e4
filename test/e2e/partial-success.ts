import assert from 'node:assert/strict';

/** `ExportTraceServiceResponse.partial_success` (1): `rejected_spans` (1) and `error_message` (2); zero and empty when absent. */
export function readPartialSuccess(body: Uint8Array): { rejectedSpanCount: number; message: string } {
  const partial = { rejectedSpanCount: 0, message: '' };
  const bytes = Buffer.from(body);
  if (bytes.length === 0) return partial;
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++] ?? assert.fail('the answer ends inside a number');
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  assert.equal(varint(), 0x0a);
  assert.equal(varint(), bytes.length - at);
  while (at < bytes.length) {
    const key = varint();
    if (key === 0x08) partial.rejectedSpanCount = varint();
    else if (key === 0x12) {
      const length = varint();
      partial.message = bytes.subarray(at, at + length).toString('utf8');
      at += length;
    } else assert.fail(`unknown field ${key} in the answer`);
  }
  return partial;
}
