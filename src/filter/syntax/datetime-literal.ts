import { FILTER_SOURCE_CHARS_MAX } from '../../model/limits/reads.ts';
import { clampToSpanTime, parseDateTime } from '../../model/time/datetime.ts';
import { FilterError, shorten } from './filter-error.ts';
import { formatText } from './format-filter.ts';
import type { SourceRange } from './syntax-tree.ts';

/**
 * Nanoseconds since the Unix epoch of a text next to a datetime, clamped to the range of span times.
 *
 * @throws {FilterError} if it is not ISO 8601 or has no offset
 */
export function readDatetimeLiteral(range: SourceRange, text: string): bigint {
  const quoted = formatText(shorten(text, FILTER_SOURCE_CHARS_MAX));
  const time = ISO_DATE.test(text) ? parseDateTime(text) : { problem: 'no date' };
  if ('problem' in time) throw new FilterError(`invalid datetime literal: ${quoted}`, range);
  if (!time.isNaive) return clampToSpanTime(time.unixNano);
  throw new FilterError(`datetime literal ${quoted} has no timezone, add an offset (e.g. 'Z' for UTC)`, range);
}

/** Numbers, which are Unix times elsewhere, are rejected here. */
const ISO_DATE = /^\d{4}-/;
