import { formatCount } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import { withSearch } from '../../../router/location.ts';
import type { Compared, Measure, MeasureValue } from '../compared.ts';
import { ExperimentName } from '../ExperimentMark.tsx';
import { directionText, formatDifference, formatMeasure } from '../format-measure.ts';
import { IntervalPicture } from './IntervalPicture.tsx';
import { OutcomeBar } from './OutcomeBar.tsx';
import { type SharedAxis, toSharedAxis } from './shared-axis.ts';

interface MeasureCardProps {
  readonly measure: Measure;
  readonly compared: readonly Compared[];
}

/** Means, intervals and paired differences of all experiments on one measure. */
export function MeasureCard({ measure, compared }: MeasureCardProps) {
  const axis = toSharedAxis(measure.values);
  const valueIn = (id: string) => measure.values.find(({ experimentId }) => experimentId === id);
  const base = valueIn(compared[0]?.id ?? '');
  return (
    <section className="card measure-card" aria-label={measure.name}>
      <header>
        <h2 className="clip" dir="auto" title={measure.name}>
          {measure.name}
        </h2>
        <span className="muted">{directionText(measure)}</span>
        <span className="grow" />
        {axis && (
          <span className="measure-scale muted" aria-hidden="true">
            <span>{formatMeasure(measure, axis.low)}</span>
            <span>{formatMeasure(measure, axis.high)}</span>
          </span>
        )}
      </header>
      <table className="measure-rows">
        <thead className="visually-hidden">
          <tr>
            <th>Experiment</th>
            <th>Mean with 95 % interval</th>
            <th>Mean</th>
            <th>Difference to the baseline</th>
            <th>Examples</th>
          </tr>
        </thead>
        <tbody>
          {compared.map((each) => (
            <MeasureRow key={each.id} of={each} measure={measure} value={valueIn(each.id)} base={base} axis={axis} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface MeasureRowProps {
  readonly of: Compared;
  readonly measure: Measure;
  readonly value: MeasureValue | undefined;
  readonly base: MeasureValue | undefined;
  readonly axis: SharedAxis | undefined;
}

function MeasureRow({ of, measure, value, base, axis }: MeasureRowProps) {
  const show = (each: number | null | undefined) => formatMeasure(measure, each);
  const difference = value?.difference;
  const interval = value && `${show(value.mean)}, 95 % interval ${show(value.low)} to ${show(value.high)}`;
  return (
    <tr>
      <th scope="row">
        <ExperimentName of={of} />
      </th>
      <td className="measure-picture">
        {value && value.mean !== null && axis ? (
          <IntervalPicture
            value={value}
            axis={axis}
            color={of.color}
            baseMean={of.isBase ? undefined : base?.mean}
            label={interval!}
          />
        ) : (
          <span className="muted">No values</span>
        )}
      </td>
      <td className="measure-mean" title={interval}>
        {value && value.mean !== null && (
          <>
            <strong>{show(value.mean)}</strong> <span className="muted">n {formatCount(value.count)}</span>
          </>
        )}
      </td>
      <td className="measure-difference">
        {of.isBase ? (
          <span className="muted">baseline</span>
        ) : difference && difference.count > 0 ? (
          <span title={difference.sentence}>
            <span className={VERDICT_CLASSES[difference.verdict]}>{formatDifference(measure, difference.mean)}</span>{' '}
            <span className="muted">
              {difference.low === null
                ? `too few examples (${difference.count})`
                : `${formatDifference(measure, difference.low)} to ${formatDifference(measure, difference.high)}`}
            </span>
          </span>
        ) : (
          <span className="muted">no pairs</span>
        )}
      </td>
      <td className="measure-outcome">
        {difference && difference.count > 0 && (
          <Link
            className="outcome-link"
            to={withSearch({ view: 'grid', regressedOn: measure.key, improvedOn: null, of: of.id })}
            title={`Open the examples that regressed on ${measure.name}`}
          >
            <OutcomeBar of={difference} />
          </Link>
        )}
      </td>
    </tr>
  );
}

export const VERDICT_CLASSES = { BETTER: 'better-text', WORSE: 'worse-text', UNCLEAR: 'unclear-text' } as const;
