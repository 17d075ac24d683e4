import { authorOf } from '../../../model/access/caller.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { Calibration, LabelSource } from '../../../model/evaluators/calibration.ts';
import type { DatasetEvaluator, InputMapping } from '../../../model/evaluators/evaluator.ts';
import { CALIBRATION_CONCURRENCY_MAX, CALIBRATION_ITEM_COUNT_MAX } from '../../../model/limits/evaluators.ts';
import type { RequestCredentials } from '../../../model/playground/chat-task.ts';
import { RowError } from '../../../model/row-error.ts';
import type { Ports } from '../../ports.ts';
import { bindingUnknown, loadEvaluator } from '../run/load-runnable.ts';
import type { Runnable } from '../run/runnable.ts';
import { findLabelledTargets } from './find-labelled-targets.ts';
import { findJudgePrice } from './judge-price.ts';
import { runCalibration } from './run-calibration.ts';

/** Order for a calibration. */
export interface CalibrationOrder {
  readonly datasetEvaluatorRowId: number;
  /** Version of an LLM evaluator's prompt. Absent: the version that the evaluator uses. */
  readonly promptVersionRowId?: number | undefined;
  /** Absent: that of the evaluator in its dataset. */
  readonly inputMapping?: InputMapping | undefined;
  /** Name of the compared output. Absent: the first. */
  readonly outputName?: string | undefined;
  /** Name of the annotations of people. Absent: that of the output. */
  readonly annotationName?: string | undefined;
  readonly source: LabelSource;
  readonly heldOutShare: number;
  readonly concurrency: number;
  readonly itemCountMax?: number | undefined;
  readonly credentials: RequestCredentials;
}

/**
 * Starts to run an evaluator over everything that people have labelled. It goes on after the request.
 *
 * @returns row id of the calibration
 * @throws {SpandrelError} `DATASET_EVALUATOR_NOT_FOUND`, `PROMPT_VERSION_NOT_FOUND`, `PROJECT_NOT_FOUND`, `DATASET_NOT_FOUND`,
 *   `CALIBRATION_INVALID`, `CALIBRATIONS_TOO_MANY`
 */
export async function startCalibration(ports: Ports, order: CalibrationOrder): Promise<number> {
  checkOrder(order);
  ports.calibrationRunner.checkFree();
  const runnable = await loadJudge(ports, order);
  const { outputConfigs } = runnable;
  const { outputName, source, heldOutShare, concurrency, credentials } = order;
  const outputConfig = outputConfigs.find(({ name }) => outputName === undefined || name === outputName);
  if (!outputConfig) {
    const names = outputConfigs.map(({ name }) => `'${name}'`).join(', ');
    return invalid(`The evaluator has no output '${outputName}'; it has ${names}`);
  }
  const annotationName = order.annotationName?.trim() || outputConfig.name;
  const limit = order.itemCountMax;
  const items = await findLabelledTargets(ports, source, annotationName, { heldOutShare, limit });
  if (items.length === 0) invalid(`People have not labelled anything as '${annotationName}' there`);
  const rowId = await ports.calibrations.create(
    {
      datasetEvaluatorRowId: order.datasetEvaluatorRowId,
      evaluatorName: runnable.name,
      promptVersionRowId: runnable.kind === 'LLM' ? runnable.promptVersionRowId : null,
      inputMapping: runnable.inputMapping,
      ...{ outputConfig, annotationName, source, heldOutShare, concurrency },
      userId: authorOf(ports.caller),
    },
    items,
  );
  if (rowId === undefined) return bindingUnknown(order.datasetEvaluatorRowId);
  await run(ports, { rowId, concurrency, outputConfig }, runnable, credentials);
  return rowId;
}

/**
 * Goes on with a calibration that has been stopped or has failed, with the evaluator's current outputs. Items that failed are
 * evaluated again.
 *
 * @throws {SpandrelError} `CALIBRATION_NOT_FOUND`, `CALIBRATION_RUNNING`, and those of `startCalibration`
 */
export async function resumeCalibration(ports: Ports, rowId: number, credentials: RequestCredentials): Promise<void> {
  const calibration = await getCalibration(ports, rowId);
  ports.calibrationRunner.checkFree();
  const runnable = await loadJudge(ports, {
    ...calibration,
    promptVersionRowId: calibration.promptVersionRowId ?? undefined,
  });
  if (!(await ports.calibrations.claim(rowId))) {
    throw new SpandrelError('CALIBRATION_RUNNING', 'The calibration is already running');
  }
  await run(ports, calibration, runnable, credentials);
}

/** Ends a calibration that runs, on any server. Idempotent. @throws {SpandrelError} `CALIBRATION_NOT_FOUND` */
export async function stopCalibration(ports: Ports, rowId: number): Promise<void> {
  await getCalibration(ports, rowId);
  await ports.calibrations.end(rowId, 'STOPPED', STOPPED);
  ports.calibrationRunner.stop(rowId, STOPPED);
}

const STOPPED = 'Stopped by a user';

/** Deletes a calibration with its results. Its traces stay. @throws {SpandrelError} `CALIBRATION_NOT_FOUND` */
export async function deleteCalibration(ports: Ports, rowId: number): Promise<void> {
  await stopCalibration(ports, rowId);
  await ports.calibrations.delete(rowId);
}

/** @throws {SpandrelError} `CALIBRATION_NOT_FOUND` */
export async function getCalibration(
  { calibrations }: Pick<Ports, 'calibrations'>,
  rowId: number,
): Promise<Calibration> {
  const found = (await calibrations.findByRowIds([rowId])).get(rowId);
  if (found) return found;
  throw new RowError('CALIBRATION_NOT_FOUND', 'Calibration', [rowId], (id) => `Calibration with ID ${id} not found`);
}

async function run(
  ports: Ports,
  calibration: Pick<Calibration, 'rowId' | 'concurrency' | 'outputConfig'>,
  runnable: Runnable,
  credentials: RequestCredentials,
): Promise<void> {
  const price = await findJudgePrice(ports, runnable);
  ports.calibrationRunner.start(calibration.rowId, (signal) =>
    runCalibration(ports, { calibration, runnable, credentials, price }, signal),
  );
}

/** Traces contain the target. Those of a private project are not stored, as projects of evaluators are open. */
async function loadJudge(
  ports: Ports,
  order: Pick<CalibrationOrder, 'datasetEvaluatorRowId' | 'promptVersionRowId' | 'inputMapping' | 'source'>,
): Promise<Runnable> {
  const { datasetEvaluatorRowId, source } = order;
  const unknown = () => bindingUnknown(datasetEvaluatorRowId);
  const binding: DatasetEvaluator =
    (await ports.evaluators.findBound([datasetEvaluatorRowId])).get(datasetEvaluatorRowId) ?? unknown();
  const isPrivate = source.type === 'project' && (await isPrivateProject(ports, source.projectRowId));
  const project = isPrivate
    ? undefined
    : (await ports.projects.findByRowIds([binding.projectRowId])).get(binding.projectRowId);
  const runnable = await loadEvaluator(ports, binding.evaluator, {
    inputMapping: order.inputMapping ?? binding.inputMapping,
    outputConfigs: binding.outputConfigs,
    projectName: project?.name ?? null,
    promptVersionRowId: order.promptVersionRowId,
  });
  return runnable ?? unknown();
}

async function isPrivateProject({ projectMembers }: Ports, rowId: number): Promise<boolean> {
  const [row] = await projectMembers.findAccess({ rowIds: [rowId] });
  return row?.isPrivate ?? false;
}

function checkOrder({ heldOutShare, concurrency, itemCountMax }: CalibrationOrder): void {
  if (!(heldOutShare >= 0 && heldOutShare < 1)) {
    invalid(`The held-out share must be at least 0 and less than 1, received ${heldOutShare}`);
  }
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > CALIBRATION_CONCURRENCY_MAX) {
    invalid(`The concurrency must be from 1 to ${CALIBRATION_CONCURRENCY_MAX}, received ${concurrency}`);
  }
  if (itemCountMax !== undefined && (itemCountMax < 1 || itemCountMax > CALIBRATION_ITEM_COUNT_MAX)) {
    invalid(`The number of targets must be from 1 to ${CALIBRATION_ITEM_COUNT_MAX}, received ${itemCountMax}`);
  }
}

export function invalid(message: string): never {
  throw new SpandrelError('CALIBRATION_INVALID', message);
}
