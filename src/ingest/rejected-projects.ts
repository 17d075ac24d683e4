import { SpandrelError } from '../model/errors.ts';
import type { OtlpCheck } from '../otlp/check-request.ts';
import type { OtlpRequest } from './ingest.ts';

export interface PermittedSpans extends Pick<OtlpCheck, 'spanCount' | 'rejectedSpanCount' | 'message'> {
  /** Projects whose spans are among the rejected ones, because the sender may not write to them. */
  readonly exceptProjects: readonly string[];
}

/**
 * Rejects the spans of projects that the sender may not write to.
 *
 * @throws {SpandrelError} `ACCESS_DENIED` when no span is left
 */
export function withoutDenied(checked: OtlpCheck, mayStoreIn: OtlpRequest['mayStoreIn']): PermittedSpans {
  const { spanCount, rejectedSpanCount, message, projects } = checked;
  const denied = [...(projects ?? [])].filter(([name, count]) => count > 0 && mayStoreIn?.(name) === false);
  const deniedCount = denied.reduce((sum, [, count]) => sum + count, 0);
  if (deniedCount === 0) return { spanCount, rejectedSpanCount, message, exceptProjects: [] };
  if (rejectedSpanCount + deniedCount === spanCount) throw projectsDenied();
  const reason = `${deniedCount} of ${spanCount} spans rejected: ${DENIED}`;
  return {
    spanCount,
    rejectedSpanCount: rejectedSpanCount + deniedCount,
    message: message === '' ? reason : `${reason}; ${message}`,
    exceptProjects: denied.map(([name]) => name),
  };
}

const DENIED = 'the sender may not send data to their project';

export const projectsDenied = (): SpandrelError =>
  new SpandrelError('ACCESS_DENIED', 'You may not send data to a project of this name.');
