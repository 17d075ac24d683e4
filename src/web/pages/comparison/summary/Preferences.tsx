import type { Compared, Comparison } from '../compared.ts';
import { ExperimentName } from '../ExperimentMark.tsx';
import { formatPercent } from '../format-measure.ts';
import { IntervalPicture } from './IntervalPicture.tsx';
import { OutcomeBar } from './OutcomeBar.tsx';
import { toSharedAxis } from './shared-axis.ts';

interface PreferencesProps {
  readonly preferences: Comparison['preferences'];
  readonly compared: readonly Compared[];
}

/** From 0 to 100 percent, with a line at one half. */
const AXIS = toSharedAxis([{ mean: 0.5, low: 0, high: 1 }])!;

/** Which of two experiments people preferred, by pair. */
export function Preferences({ preferences, compared }: PreferencesProps) {
  const of = (id: string | undefined) => compared.find((each) => each.id === id);
  return (
    <section className="card measure-card" aria-label="Preferences of people">
      <header>
        <h2>Preferences of people</h2>
        <span className="muted">share of pairs that the experiment won; the line is one half</span>
      </header>
      <table className="measure-rows">
        <tbody>
          {preferences.map((each) => {
            // The later experiment of the comparison is first; its wins are counted.
            const [candidate, other] = [of(each.experimentIds[0]), of(each.experimentIds[1])];
            if (!candidate || !other) return null;
            return (
              <tr key={each.experimentIds.join(' ')}>
                <th scope="row">
                  <span className="preference-pair">
                    <ExperimentName of={candidate} />
                    <span className="muted">against</span> <ExperimentName of={other} />
                  </span>
                </th>
                <td className="measure-picture">
                  {each.winRate === null ? (
                    <span className="muted">Only ties</span>
                  ) : (
                    <IntervalPicture
                      value={{ mean: each.winRate, low: each.low, high: each.high }}
                      axis={AXIS}
                      color={candidate.color}
                      baseMean={0.5}
                      label={each.sentence}
                    />
                  )}
                </td>
                <td className="measure-mean">
                  <strong>{each.winRate === null ? '' : formatPercent(each.winRate)}</strong>
                </td>
                <td className="measure-difference muted">
                  {each.low !== null &&
                    each.high !== null &&
                    `${formatPercent(each.low)} to ${formatPercent(each.high)}`}
                </td>
                <td className="measure-outcome">
                  <OutcomeBar of={each} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {preferences.map(({ sentence }) => (
        <p key={sentence} className="preference-sentence">
          {sentence}
        </p>
      ))}
    </section>
  );
}
