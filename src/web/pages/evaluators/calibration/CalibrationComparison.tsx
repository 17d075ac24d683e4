import { Failure } from '../../../components/Failure.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import {
  type CalibrationHead,
  describeSource,
  describeVersion,
  formatMeasure,
  formatShare,
  type Measures,
} from './calibration-data.ts';
import { type ComparedCalibrationsData, comparedCalibrations } from './generated/calibration.ts';

type Column = ComparedCalibrationsData['compareCalibrations']['columns'][number];

interface Row {
  readonly name: string;
  readonly value: (column: Column, index: number) => string;
}

const interval = ({ low, high }: { readonly low: number; readonly high: number }, format: (value: number) => string) =>
  `${format(low)} to ${format(high)}`;

const share = ({ labels }: Measures): string =>
  labels ? `${formatShare(labels.share)} (${interval(labels.shareInterval, formatShare)})` : '--';

function kappa({ labels }: Measures): string {
  if (!labels || labels.kappa === null) return '--';
  const range = labels.kappaInterval ? ` (${interval(labels.kappaInterval, formatMeasure)})` : '';
  return `${formatMeasure(labels.kappa)}${range}`;
}

const correlation = ({ scores }: Measures): string =>
  scores?.correlation === null || !scores ? '--' : formatMeasure(scores.correlation);

const LABEL_ROWS: readonly Row[] = [
  { name: 'Agreement', value: ({ all }) => share(all) },
  { name: 'Agreement, for tuning', value: ({ tuning }) => share(tuning) },
  { name: 'Agreement, held out', value: ({ heldOut }) => share(heldOut) },
  { name: 'Kappa', value: ({ all }) => kappa(all) },
  { name: 'Kappa, held out', value: ({ heldOut }) => kappa(heldOut) },
];
const SCORE_ROWS: readonly Row[] = [
  { name: 'Correlation', value: ({ all }) => correlation(all) },
  { name: 'Correlation, held out', value: ({ heldOut }) => correlation(heldOut) },
];
const CHANGE_ROWS: readonly Row[] = [
  { name: 'Now right', value: ({ fixedCount }, index) => (index === 0 ? '' : formatCount(fixedCount)) },
  { name: 'Now wrong', value: ({ brokenCount }, index) => (index === 0 ? '' : formatCount(brokenCount)) },
];

/** Calibrations side by side, on the targets that all of them have evaluated. The first is the base. */
export function CalibrationComparison({ ids }: { readonly ids: readonly string[] }) {
  const times = useTimeFormat();
  const { data, failure, refetch } = useQuery(comparedCalibrations, { ids });
  if (failure) return <Failure failure={failure} onRetry={() => void refetch()} />;
  if (!data) return <div aria-busy="true" />;
  const { commonCount, columns } = data.compareCalibrations;
  const rows = [
    ...(columns.some(({ all }) => all.labels) ? LABEL_ROWS : []),
    ...(columns.some(({ all }) => all.scores) ? SCORE_ROWS : []),
    ...CHANGE_ROWS,
  ];
  return (
    <section className="calibration-items" aria-label="Comparison">
      <p className="muted">
        {commonCount === 0
          ? 'No target was evaluated by all of them without an error, so they cannot be compared.'
          : `Measured on the ${formatCount(commonCount)} targets that all of them have evaluated without an error.`}
      </p>
      <div className="calibration-scroll">
        <table className="calibration-table is-compared">
          <thead>
            <tr>
              <td />
              {columns.map(({ calibration }, index) => (
                <th key={calibration.id} scope="col">
                  <ColumnHead calibration={calibration} started={times.short(calibration.createdAt)} />
                  {index === 0 && <span className="muted"> (base)</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {columns.map((column, index) => (
                  <td key={column.calibration.id}>{value(column, index)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Evaluators without a prompt are told apart by the time. */
function ColumnHead({ calibration, started }: { readonly calibration: CalibrationHead; readonly started: string }) {
  const version = describeVersion(calibration);
  const source = describeSource(calibration);
  return (
    <>
      {version ?? started}
      <span className="muted calibration-sub">{version === undefined ? source : `${source}, ${started}`}</span>
    </>
  );
}
