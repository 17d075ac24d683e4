import type { LabelSource } from '../../../model/evaluators/calibration.ts';
import type { ItemPage, ItemPageQuery } from '../../../metadata-store/calibrations/calibration-items.ts';
import { bindToPorts, pick } from '../../bind-to-ports.ts';
import type { Ports } from '../../ports.ts';
import { compareCalibrations, measureCalibrations } from './compare-calibrations.ts';
import { findLabelledTargets } from './find-labelled-targets.ts';
import {
  deleteCalibration,
  getCalibration,
  resumeCalibration,
  startCalibration,
  stopCalibration,
} from './start-calibration.ts';

/** Items of a calibration by row id. @throws {SpandrelError} `CALIBRATION_NOT_FOUND` */
async function listItems(ports: Pick<Ports, 'calibrations'>, rowId: number, page: ItemPageQuery): Promise<ItemPage> {
  await getCalibration(ports, rowId);
  return ports.calibrations.listItems(rowId, page);
}

/** What people have labelled, before a judge sees it. */
export interface LabelSummary {
  readonly targetCount: number;
  readonly heldOutCount: number;
  /** Labels of targets, the most frequent first. */
  readonly labels: readonly { readonly label: string; readonly count: number }[];
  /** Targets with a score. */
  readonly scoreCount: number;
}

/** @throws {SpandrelError} `PROJECT_NOT_FOUND`, `DATASET_NOT_FOUND` */
async function summarizeLabels(
  ports: Ports,
  source: LabelSource,
  annotationName: string,
  heldOutShare: number,
): Promise<LabelSummary> {
  const targets = await findLabelledTargets(ports, source, annotationName, { heldOutShare });
  const counts = new Map<string, number>();
  for (const { human } of targets)
    if (human.label !== null) counts.set(human.label, (counts.get(human.label) ?? 0) + 1);
  return {
    targetCount: targets.length,
    heldOutCount: targets.filter(({ isHeldOut }) => isHeldOut).length,
    labels: Array.from(counts, ([label, count]) => ({ label, count })).sort((a, b) => b.count - a.count),
    scoreCount: targets.filter(({ human }) => human.score !== null).length,
  };
}

const OPERATIONS = {
  start: startCalibration,
  resume: resumeCalibration,
  stop: stopCalibration,
  delete: deleteCalibration,
  measure: measureCalibrations,
  compare: compareCalibrations,
  listItems,
  summarizeLabels,
};

/** All operations of API layers on calibrations of evaluators. */
export const createCalibrationOperations = (ports: Ports) => ({
  ...pick(ports.calibrations, 'findByRowIds', 'list'),
  ...bindToPorts(ports, OPERATIONS),
});

export type CalibrationOperations = ReturnType<typeof createCalibrationOperations>;
