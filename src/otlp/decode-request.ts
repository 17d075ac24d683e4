import { freeBuffer } from '../base/free-buffer.ts';
import type { SpanColumnsBuilder } from '../columns/span-columns-builder.ts';
import { checkProtobuf } from './check-protobuf.ts';
import type { OtlpFormat } from './check-request.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { jsonToProtobuf } from './json/json-to-protobuf.ts';
import { mergeSplitValues } from './merge-split-values.ts';

export interface DecodeOptions {
  /** Takes precedence over the resource attribute. Empty counts as absent. */
  readonly projectName?: string;
}

/**
 * Appends the spans of an inflated ExportTraceServiceRequest, except those that `checkOtlpRequest` counts as rejected.
 * If it throws, the builder is unchanged.
 *
 * @throws {SpandrelError} `OTLP_MALFORMED` or `BODY_TOO_LARGE`, as `checkOtlpRequest` does for the same body
 */
export function decodeOtlpRequest(
  body: Uint8Array,
  format: OtlpFormat,
  { projectName }: DecodeOptions,
  builder: SpanColumnsBuilder,
): void {
  const bytes = format === 'json' ? jsonToProtobuf(body) : body;
  // The check costs a tenth of decoding, and lets decoding trust every length.
  const { rejected, hasSplitValues } = checkProtobuf(bytes);
  const mark = builder.mark();
  try {
    decodeProtobuf(hasSplitValues ? mergeSplitValues(bytes) : bytes, rejected, projectName, builder);
  } catch (error) {
    builder.reset(mark);
    throw error;
  }
  if (bytes !== body) freeBuffer(bytes);
}
