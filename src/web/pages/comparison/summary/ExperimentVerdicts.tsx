import type { Compared, Difference, Measure } from '../compared.ts';
import { ExperimentName } from '../ExperimentMark.tsx';

interface ExperimentVerdictsProps {
  readonly compared: readonly Compared[];
  readonly measures: readonly Measure[];
}

/** What changed against the baseline, one sentence per measure that has a better direction. */
export function ExperimentVerdicts({ compared, measures }: ExperimentVerdictsProps) {
  return (
    <section className="verdicts" aria-label="Results">
      {compared
        .filter(({ isBase }) => !isBase)
        .map((each) => (
          <article key={each.id} className="card verdict-card">
            <h2>
              <ExperimentName of={each} />
            </h2>
            <Sentences differences={differencesOf(each, measures)} />
          </article>
        ))}
    </section>
  );
}

/** The sentence of a score also tells the latency, which then needs none of its own. */
function differencesOf({ id }: Compared, measures: readonly Measure[]): readonly Difference[] {
  const hasScore = measures.some(
    ({ kind, values }) => kind === 'SCORE' && values.some(({ difference }) => difference?.count),
  );
  return measures
    .filter(({ kind }) => kind !== 'LATENCY' || !hasScore)
    .flatMap(({ values }) => values.find(({ experimentId }) => experimentId === id)?.difference ?? [])
    .filter(({ count }) => count > 0);
}

const MARKS = {
  BETTER: { mark: '▲', className: 'better-text', label: 'Better:' },
  WORSE: { mark: '▼', className: 'worse-text', label: 'Worse:' },
  UNCLEAR: { mark: '–', className: 'muted', label: 'Not clear:' },
} as const;

function Sentences({ differences }: { readonly differences: readonly Difference[] }) {
  if (differences.length === 0) return <p className="muted">The experiments share no metric.</p>;
  return (
    <ul className="sentences">
      {differences.map(({ sentence, verdict }) => {
        const { mark, className, label } = MARKS[verdict];
        return (
          <li key={sentence}>
            <span className={className}>
              <span aria-hidden="true">{mark}</span>
              <span className="visually-hidden">{label}</span>
            </span>
            <span className={verdict === 'UNCLEAR' ? 'muted' : undefined}>{sentence}</span>
          </li>
        );
      })}
    </ul>
  );
}
