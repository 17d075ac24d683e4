import type { CalibrationItemsData, CalibrationListData, CalibrationReportData } from './generated/calibration.ts';

export type Report = Extract<CalibrationReportData['node'], { readonly __typename: 'Calibration' }>;
export type Measures = Report['all'];
export type LabelMeasures = NonNullable<Measures['labels']>;
export type ListedCalibration = Extract<
  CalibrationListData['node'],
  { readonly __typename: 'DatasetEvaluator' }
>['calibrations']['edges'][number]['node'];
export type CalibrationItem = Extract<
  CalibrationItemsData['node'],
  { readonly __typename: 'Calibration' }
>['items']['edges'][number]['node'];

/** The head that lists, reports and comparisons share. */
export type CalibrationHead = Pick<
  Report,
  'id' | 'promptVersion' | 'target' | 'project' | 'dataset' | 'createdAt' | 'annotationName' | 'outputName'
>;

const TARGETS = { SPAN: 'Spans', TRACE: 'Traces', SESSION: 'Sessions' } as const;

/** What was evaluated: `Spans of shop`, or `Runs of questions`. */
export const describeSource = ({ target, project, dataset }: CalibrationHead): string =>
  target === null
    ? `Runs of ${dataset?.name ?? 'a deleted dataset'}`
    : `${TARGETS[target]} of ${project?.name ?? 'a deleted project'}`;

/** Version of the prompt: `Version 3, gpt-4o`. Undefined for evaluators without a prompt. */
export const describeVersion = ({ promptVersion }: CalibrationHead): string | undefined =>
  promptVersion === null ? undefined : `Version ${promptVersion.sequenceNumber}, ${promptVersion.modelName}`;

export const STATUS_NAMES = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  STOPPED: 'Stopped',
  ERROR: 'Failed',
} as const satisfies Record<Report['status'], string>;

export const formatShare = (share: number): string => `${Math.round(share * 100)}%`;

/** `0.62`, with a minus sign that screen readers read. */
export const formatMeasure = (value: number): string =>
  value
    .toFixed(2)
    .replace(/^-(0\.00)$/, '$1')
    .replace('-', '−');

/** How kappa is usually read, by the scale of Landis and Koch. */
export function wordForKappa(kappa: number): string {
  if (kappa < 0) return 'worse than chance';
  if (kappa <= 0.2) return 'slight';
  if (kappa <= 0.4) return 'fair';
  if (kappa <= 0.6) return 'moderate';
  return kappa <= 0.8 ? 'substantial' : 'almost perfect';
}
