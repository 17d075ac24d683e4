import { freeBuffer } from '../base/free-buffer.ts';
import { checkProtobuf } from './check-protobuf.ts';
import { jsonToProtobuf } from './json/json-to-protobuf.ts';
import { mergeSplitValues } from './merge-split-values.ts';
import { findProjectRanges, type ProjectNameOptions } from './project-ranges.ts';

export type OtlpFormat = 'protobuf' | 'json';

/** Result of the check of a request. */
export interface OtlpCheck {
  /** Number of spans in the request, including rejected ones. */
  readonly spanCount: number;
  readonly rejectedSpanCount: number;
  /** Reasons for the first rejections; empty if there are none. */
  readonly message: string;
  /** Number of accepted spans by project. Undefined unless it was asked for. */
  readonly projects: ReadonlyMap<string, number> | undefined;
}

export interface CheckOptions extends ProjectNameOptions {
  /** Must not exceed the limit of the decoder, which is not checked here. */
  readonly jsonSignCountMax?: number | undefined;
  /** Whether `projects` is needed, which costs a second look at the request. */
  readonly countsProjects?: boolean | undefined;
}

const MESSAGE_CHARS_MAX = 1_000;

/**
 * Checks an inflated ExportTraceServiceRequest without creating objects. A request that passes can be decoded, except
 * for the spans that count as rejected: `decodeOtlpRequest` omits the same ones.
 *
 * @throws {SpandrelError} `OTLP_MALFORMED` if it is not such a request, `BODY_TOO_LARGE` if it has too many spans
 */
export function checkOtlpRequest(
  body: Uint8Array,
  format: OtlpFormat,
  { jsonSignCountMax, countsProjects = false, ...project }: CheckOptions = {},
): OtlpCheck {
  const bytes = format === 'json' ? jsonToProtobuf(body, jsonSignCountMax) : body;
  const { spanCount, rejected, reasons, hasSplitValues } = checkProtobuf(bytes);
  const projects = countsProjects
    ? countByProject(hasSplitValues ? mergeSplitValues(bytes) : bytes, rejected, project)
    : undefined;
  if (bytes !== body) freeBuffer(bytes);
  const message = toMessage(spanCount, rejected.length, reasons);
  return { spanCount, rejectedSpanCount: rejected.length, message, projects };
}

function countByProject(
  bytes: Uint8Array,
  rejected: readonly number[],
  options: ProjectNameOptions,
): Map<string, number> {
  const counts = new Map<string, number>();
  const isRejected = new Set(rejected);
  for (const { projectName, firstSpan, endSpan } of findProjectRanges(bytes, options)) {
    let count = counts.get(projectName) ?? 0;
    for (let index = firstSpan; index < endSpan; index++) if (!isRejected.has(index)) count++;
    counts.set(projectName, count);
  }
  return counts;
}

function toMessage(spanCount: number, rejectedCount: number, reasons: readonly string[]): string {
  if (rejectedCount === 0) return '';
  const more = rejectedCount > reasons.length ? '; …' : '';
  const message = `${rejectedCount} of ${spanCount} spans rejected: ${reasons.join('; ')}${more}`;
  return message.length > MESSAGE_CHARS_MAX ? `${message.slice(0, MESSAGE_CHARS_MAX - 1)}…` : message;
}
