import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import type { QueryResult } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import type { Compared, ComparedDataset, Comparison } from '../compared.ts';
import { ExperimentVerdicts } from './ExperimentVerdicts.tsx';
import { MeasureCard } from './MeasureCard.tsx';
import { Preferences } from './Preferences.tsx';
import { WhereItChanged } from './WhereItChanged.tsx';
import './summary.css';

interface SummaryProps {
  readonly dataset: ComparedDataset;
  readonly compared: readonly Compared[];
  readonly query: Pick<QueryResult<unknown>, 'failure' | 'refetch' | 'isLoading'>;
  readonly comparison: Comparison | undefined;
  readonly groupKey: string | undefined;
}

/** Which experiment is better, on which measures, by how much, and where. */
export function Summary({ dataset, compared, query, comparison, groupKey }: SummaryProps) {
  if (query.failure && !comparison) return <Failure failure={query.failure} onRetry={query.refetch} />;
  if (!comparison) return <SummarySkeleton />;
  const { measures, preferences, notices } = comparison;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div className="page-body summary" tabIndex={0} role="region" aria-label="Summary" aria-busy={query.isLoading}>
      <p className="muted">
        {formatCount(comparison.commonExampleCount)} of {formatCount(comparison.exampleCount)} examples are in every
        experiment. Differences are to the baseline, paired by example and repetition, with 95 % intervals.
      </p>
      <ExperimentVerdicts compared={compared} measures={measures} />
      {notices.length > 0 && <Notices notices={notices} />}
      {measures.length === 0 && (
        <div className="empty">
          <h2>No measures yet</h2>
          <p>The experiments have no runs or evaluations. Run an evaluator, or annotate runs in the grid.</p>
        </div>
      )}
      <div className="measures">
        {measures.map((measure) => (
          <MeasureCard key={measure.key} measure={measure} compared={compared} />
        ))}
        {preferences.length > 0 && <Preferences preferences={preferences} compared={compared} />}
      </div>
      <WhereItChanged dataset={dataset} compared={compared} comparison={comparison} groupKey={groupKey} />
    </div>
  );
}

/** Notices that are shown at once. */
const NOTICE_COUNT_MAX = 2;

/** What a reader of the numbers must know. */
function Notices({ notices }: { readonly notices: readonly string[] }) {
  const list = (
    <ul className="summary-notices">
      {notices.map((notice) => (
        <li key={notice}>
          <Icon name="warning" size={13} /> {notice}
        </li>
      ))}
    </ul>
  );
  if (notices.length <= NOTICE_COUNT_MAX) return list;
  return (
    <details>
      <summary>
        <Icon name="warning" size={13} /> {notices.length} notes on the data
      </summary>
      {list}
    </details>
  );
}

function SummarySkeleton() {
  return (
    <div className="page-body summary" role="status" aria-label="Comparing the experiments" aria-busy="true">
      <div className="skeleton summary-wait" />
      <div className="skeleton summary-wait" />
      <div className="skeleton summary-wait" />
    </div>
  );
}
