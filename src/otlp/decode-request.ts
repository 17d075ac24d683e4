import { freeBuffer } from '../base/free-buffer.ts';
import type { SpanColumnsBuilder } from '../columns/span-columns-builder.ts';
import { checkProtobuf } from './check-protobuf.ts';
import type { OtlpFormat } from './check-request.ts';
import { decodeProtobuf, type ProjectOptions } from './decode-protobuf.ts';
import { jsonToProtobuf } from './json/json-to-protobuf.ts';
import { mergeSplitValues } from './merge-split-values.ts';
import { findProjectRanges, type ProjectNameOptions } from './project-ranges.ts';

export interface DecodeOptions extends ProjectOptions {
  /** Projects whose spans are left out, because the sender may not write to them. */
  readonly exceptProjects?: readonly string[] | undefined;
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
  { exceptProjects, ...project }: DecodeOptions,
  builder: SpanColumnsBuilder,
): void {
  const bytes = format === 'json' ? jsonToProtobuf(body) : body;
  // The check costs a tenth of decoding, and lets decoding trust every length.
  const { rejected, hasSplitValues } = checkProtobuf(bytes);
  const mark = builder.mark();
  try {
    const merged = hasSplitValues ? mergeSplitValues(bytes) : bytes;
    const omitted = exceptProjects ? withSpansOf(exceptProjects, rejected, merged, project) : rejected;
    decodeProtobuf(merged, omitted, project, builder);
  } catch (error) {
    builder.reset(mark);
    throw error;
  }
  if (bytes !== body) freeBuffer(bytes);
}

/** Indexes of the rejected spans and of those that name one of the projects, in ascending order. */
function withSpansOf(
  projects: readonly string[],
  rejected: readonly number[],
  bytes: Uint8Array,
  options: ProjectNameOptions,
): number[] {
  const omitted = new Set(rejected);
  for (const { projectName, firstSpan, endSpan } of findProjectRanges(bytes, options)) {
    if (!projects.includes(projectName)) continue;
    for (let index = firstSpan; index < endSpan; index++) omitted.add(index);
  }
  return [...omitted].sort((a, b) => a - b);
}
