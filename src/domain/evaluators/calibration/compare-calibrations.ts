import { SpandrelError } from '../../../model/errors.ts';
import type { Calibration, CalibrationTarget, ItemResult } from '../../../model/evaluators/calibration.ts';
import { COMPARED_CALIBRATION_COUNT_MAX } from '../../../model/limits/evaluators.ts';
import type { Ports } from '../../ports.ts';
import { type CalibrationMeasures, measureCalibration } from './measure-calibration.ts';
import { getCalibration } from './start-calibration.ts';

/** Measures of a calibration for all of its targets, and for those that are held out and those that are not. */
export interface CalibrationReport {
  readonly all: CalibrationMeasures;
  readonly tuning: CalibrationMeasures;
  readonly heldOut: CalibrationMeasures;
  readonly progress: CalibrationProgress;
}

export interface CalibrationProgress {
  readonly itemCount: number;
  /** Items with a result, failed ones included. */
  readonly doneCount: number;
  readonly errorCount: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Null when a price is unknown. */
  readonly costUsd: number | null;
  /** Mean duration of an evaluation. Null before the first. */
  readonly meanLatencyMs: number | null;
}

/** Reports by row id of the calibration. The numbers are those of the results so far. */
export async function measureCalibrations(
  { calibrations }: Pick<Ports, 'calibrations'>,
  rowIds: readonly number[],
): Promise<Map<number, CalibrationReport>> {
  const found = await calibrations.findByRowIds(rowIds);
  const items = await calibrations.findItemResults([...found.keys()]);
  return new Map(Array.from(found, ([rowId, one]) => [rowId, toReport(one, items.get(rowId) ?? [])]));
}

/** Calibrations on the targets that all of them have evaluated. */
export interface CalibrationComparison {
  readonly commonCount: number;
  readonly columns: readonly ComparedCalibration[];
}

export interface ComparedCalibration {
  readonly rowId: number;
  readonly report: CalibrationReport;
  /** Common targets on which it agrees with people and the first calibration does not. */
  readonly fixedCount: number;
  /** Common targets on which the first calibration agrees with people and it does not. */
  readonly brokenCount: number;
}

/**
 * Compares calibrations, such as versions of a judge, by the targets that all of them have evaluated without an error.
 *
 * @throws {SpandrelError} `CALIBRATION_NOT_FOUND`, `CALIBRATION_INVALID`
 */
export async function compareCalibrations(
  ports: Pick<Ports, 'calibrations'>,
  rowIds: readonly number[],
): Promise<CalibrationComparison> {
  if (rowIds.length < 2 || rowIds.length > COMPARED_CALIBRATION_COUNT_MAX || new Set(rowIds).size < rowIds.length) {
    const message = `Compare 2 to ${COMPARED_CALIBRATION_COUNT_MAX} different calibrations, received ${rowIds.length}`;
    throw new SpandrelError('CALIBRATION_INVALID', message);
  }
  const compared = await Promise.all(rowIds.map((rowId) => getCalibration(ports, rowId)));
  const items = await ports.calibrations.findItemResults(rowIds);
  const evaluated = compared.map(
    ({ rowId }) =>
      new Map(
        (items.get(rowId) ?? []).flatMap((item) => (isEvaluated(item) ? [[keyOf(item.target), item] as const] : [])),
      ),
  );
  const [first, ...others] = evaluated;
  const common = [...(first?.keys() ?? [])].filter((key) => others.every((one) => one.has(key)));
  const columns = compared.map((calibration, index): ComparedCalibration => {
    const own = common.flatMap((key) => evaluated[index]?.get(key) ?? []);
    const base = common.flatMap((key) => first?.get(key) ?? []);
    const flips = own.map((item, at) => Number(agrees(item)) - Number(agrees(base[at])));
    return {
      rowId: calibration.rowId,
      report: toReport(calibration, own),
      fixedCount: flips.filter((flip) => flip > 0).length,
      brokenCount: flips.filter((flip) => flip < 0).length,
    };
  });
  return { commonCount: common.length, columns };
}

const keyOf = ({ type, rowId }: CalibrationTarget): string => `${type}:${rowId}`;

const isEvaluated = ({ evaluated }: ItemResult): boolean => evaluated !== null && !evaluated.hasError;

function agrees(item: ItemResult | undefined): boolean {
  const { human, evaluated } = item ?? {};
  if (!human || !evaluated) return false;
  if (human.label !== null && evaluated.judge.label !== null) return human.label === evaluated.judge.label;
  return human.score !== null && human.score === evaluated.judge.score;
}

function toReport({ outputConfig }: Calibration, items: readonly ItemResult[]): CalibrationReport {
  const labels = outputConfig.type === 'CATEGORICAL' ? outputConfig.values.map(({ label }) => label) : [];
  return {
    all: measureCalibration(items, labels),
    tuning: measureCalibration(
      items.filter(({ isHeldOut }) => !isHeldOut),
      labels,
    ),
    heldOut: measureCalibration(
      items.filter(({ isHeldOut }) => isHeldOut),
      labels,
    ),
    progress: toProgress(items),
  };
}

function toProgress(items: readonly ItemResult[]): CalibrationProgress {
  const done = items.flatMap(({ evaluated }) => evaluated ?? []);
  const sum = (read: (one: (typeof done)[number]) => number) => done.reduce((total, one) => total + read(one), 0);
  return {
    itemCount: items.length,
    doneCount: done.length,
    errorCount: done.filter(({ hasError }) => hasError).length,
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    costUsd: done.some(({ costUsd, hasError }) => costUsd === null && !hasError)
      ? null
      : sum(({ costUsd }) => costUsd ?? 0),
    meanLatencyMs: done.length === 0 ? null : sum(({ latencyMs }) => latencyMs) / done.length,
  };
}
