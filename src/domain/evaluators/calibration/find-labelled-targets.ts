import { createHash } from 'node:crypto';
import { groupBy } from '../../../base/group-by.ts';
import type {
  CalibrationTarget,
  LabelSource,
  NewCalibrationItem,
  Verdict,
} from '../../../model/evaluators/calibration.ts';
import { CALIBRATION_ITEM_COUNT_MAX, LABEL_READ_COUNT_MAX } from '../../../model/limits/evaluators.ts';
import { ANNOTATION_PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import { getDataset } from '../../datasets/get-dataset.ts';
import type { Ports } from '../../ports.ts';
import { getProject } from '../../projects/get-project.ts';

type LabelPorts = Pick<Ports, 'spans' | 'projects' | 'datasets' | 'calibrations'>;

/** A label or score that one person gave to a target. */
interface PersonLabel extends Verdict {
  readonly target: CalibrationTarget;
  /** Equal for targets that must be in the same part, in every calibration. */
  readonly splitKey: string;
}

/**
 * The newest targets that people have labelled or scored under a name, with what they say.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `DATASET_NOT_FOUND`
 */
export async function findLabelledTargets(
  ports: LabelPorts,
  source: LabelSource,
  annotationName: string,
  options: { readonly heldOutShare: number; readonly limit?: number | undefined },
): Promise<NewCalibrationItem[]> {
  const labels =
    source.type === 'project'
      ? await readAnnotations(ports, source, annotationName)
      : await readRunLabels(ports, source.datasetRowId, annotationName);
  const byTarget = groupBy(
    labels,
    ({ target }) => target.rowId,
    (label) => label,
  );
  const limit = Math.min(options.limit ?? CALIBRATION_ITEM_COUNT_MAX, CALIBRATION_ITEM_COUNT_MAX);
  return Array.from(byTarget.values())
    .slice(0, limit)
    .flatMap((ofTarget) => {
      const [newest] = ofTarget;
      if (!newest) return [];
      const { target, splitKey } = newest;
      const isHeldOut = isInHeldOutPart(splitKey, options.heldOutShare);
      return [{ target, isHeldOut, human: summarize(ofTarget), humanCount: ofTarget.length }];
    });
}

async function readAnnotations(
  ports: LabelPorts,
  { projectRowId, target }: Extract<LabelSource, { type: 'project' }>,
  name: string,
): Promise<PersonLabel[]> {
  await getProject(ports, { rowId: projectRowId });
  const labels: PersonLabel[] = [];
  const query = { target, projectId: projectRowId, names: [name], limit: ANNOTATION_PAGE_ROW_COUNT_MAX };
  for (let fromRowId: number | undefined, read = 0; read < LABEL_READ_COUNT_MAX; ) {
    const page = await ports.spans.findAnnotations(fromRowId === undefined ? query : { ...query, fromRowId });
    for (const { annotatorKind, label, score, targetId, targetRowId } of page.items) {
      if (annotatorKind !== 'HUMAN' || (label === null && score === null)) continue;
      labels.push({ target: { type: target, rowId: targetRowId }, splitKey: `${target}:${targetId}`, label, score });
    }
    read += page.items.length;
    fromRowId = page.nextRowId;
    if (fromRowId === undefined) break;
  }
  return labels;
}

/** Runs of one example are in the same part, so that a judge cannot be fitted to the other runs of a held-out example. */
async function readRunLabels(ports: LabelPorts, datasetRowId: number, name: string): Promise<PersonLabel[]> {
  await getDataset(ports, { rowId: datasetRowId });
  const found = await ports.calibrations.findRunLabels({ datasetRowId, name, limit: LABEL_READ_COUNT_MAX });
  return found.map(({ runRowId, exampleRowId, label, score }) => ({
    ...{ target: { type: 'run', rowId: runRowId }, splitKey: `example:${exampleRowId}`, label, score },
  }));
}

/** The most frequent label, of equally frequent ones the newest, and the mean score. */
function summarize(labels: readonly Verdict[]): Verdict {
  const counts = new Map<string, number>();
  const scores: number[] = [];
  for (const { label, score } of labels) {
    if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
    if (score !== null && Number.isFinite(score)) scores.push(score);
  }
  const most = Math.max(...counts.values());
  const label = [...counts].find(([, count]) => count === most)?.[0] ?? null;
  return { label, score: scores.length === 0 ? null : scores.reduce((sum, one) => sum + one, 0) / scores.length };
}

/** Whether a target is in the held-out part. It is there in every calibration with this or a larger share. */
export function isInHeldOutPart(splitKey: string, share: number): boolean {
  const hash = createHash('sha256').update(splitKey).digest();
  return hash.readUIntBE(0, 6) / 2 ** 48 < share;
}
