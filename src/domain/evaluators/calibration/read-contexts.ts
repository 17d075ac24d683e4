import type { CalibrationTarget } from '../../../model/evaluators/calibration.ts';
import type { EvaluationContext } from '../../../model/evaluators/evaluation.ts';
import type { Ports } from '../../ports.ts';
import { readRunContexts } from '../run/run-context.ts';
import { readSessionContexts } from '../run/session-context.ts';
import { readSpanContexts } from '../run/span-context.ts';
import { readTraceContexts } from '../run/trace-context.ts';

export type TargetPorts = Pick<Ports, 'spans' | 'experiments' | 'datasets'>;

/** Contexts of targets of one type by row id. Those that the caller may not read, or that are deleted, are absent. */
export function readContexts(
  ports: TargetPorts,
  type: CalibrationTarget['type'],
  rowIds: readonly number[],
): Promise<Map<number, EvaluationContext>> {
  switch (type) {
    case 'span':
      return readSpanContexts(ports, rowIds);
    case 'trace':
      return readTraceContexts(ports, rowIds);
    case 'session':
      return readSessionContexts(ports, rowIds);
    case 'run':
      return readRunContexts(ports, rowIds);
  }
}
