import { useMemo } from 'react';
import { FailureLine } from '../../../components/Failure.tsx';
import { hasCondition, quote, toggleCondition, writeCondition } from '../../../components/filter/write-condition.ts';
import { Icon } from '../../../components/Icon.tsx';
import { kindLabel } from '../../../components/kinds.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount } from '../../../format/numbers.ts';
import { boundsAt, type ChosenRange, toApiRange } from '../../../time-range/time-range.ts';
import { type ProjectFacetsData, projectFacets } from '../generated/project.ts';
import { type RowScope, toFilters, useOutdated } from '../row-scope.ts';
import { useNow } from '../statistics/use-now.ts';
import './facets.css';
import { shownName } from '../../../format/names.ts';

interface FacetPanelProps {
  readonly projectId: string;
  readonly range: ChosenRange;
  readonly scope: RowScope;
  /** Changes whenever the project changes. */
  readonly change: string | undefined;
  /** Whether the rows are still loading. The values load after them. */
  readonly isWaiting: boolean;
  readonly onFilter: (filter: string) => void;
  readonly onClose: () => void;
}

type ProjectNode = Extract<ProjectFacetsData['node'], { readonly __typename: 'Project' }>;
type Facet = ProjectNode['spanFacets']['facets'][number];

const NAMES = {
  status: ['Status', 'status_code'],
  errorInTrace: ['Trace', 'error_in_trace'],
  kind: ['Kind', 'span_kind'],
  name: ['Name', 'name'],
  model: ['Model', 'llm.model_name'],
  user: ['User', 'user.id'],
  session: ['Session', 'session.id'],
} as const satisfies Record<Exclude<Facet['field'], 'metadata'>, readonly [string, string]>;

/** Values of the rows with their counts. A click adds a value to the filter or excludes it. */
export function FacetPanel({ projectId, range, scope, change, isWaiting, onFilter, onClose }: FacetPanelProps) {
  const now = useNow(range, change);
  const timeRange = useMemo(() => toApiRange(boundsAt(range, now)), [range, now]);
  const { grain, filter } = scope;
  const { data, failure, isLoading, isStale, refetch } = useQuery(
    projectFacets,
    isWaiting ? undefined : { id: projectId, grain, timeRange, filterCondition: toFilters(scope).filterCondition },
  );
  const isOutdated = useOutdated(scope, isStale);
  const found = data?.node.__typename === 'Project' ? data.node.spanFacets : undefined;
  return (
    <aside className={isOutdated ? 'facets is-outdated' : 'facets'} aria-label="Filters" aria-busy={isLoading}>
      <header>
        <h2>Filters</h2>
        <span className="muted grow clip">
          {found && `of ${found.isNewestOnly ? 'newest ' : ''}${formatCount(found.rowCount)}`}
        </span>
        <button type="button" className="button bare small icon-only" aria-label="Hide filters" onClick={onClose}>
          <Icon name="close" size={12} />
        </button>
      </header>
      {failure ? (
        <FailureLine failure={failure} onRetry={refetch} />
      ) : found ? (
        found.facets.map((facet) => (
          <FacetSection
            key={`${facet.field} ${facet.key}`}
            facet={facet}
            rowCount={found.rowCount}
            filter={filter}
            onFilter={onFilter}
          />
        ))
      ) : (
        [60, 80, 50, 70].map((width) => (
          <div key={width} className="skeleton" style={{ width: `${width}%`, height: 12 }} />
        ))
      )}
      {found?.facets.length === 0 && (
        <p className="muted">No matching spans. Select a longer range or change the filter.</p>
      )}
    </aside>
  );
}

interface FacetSectionProps {
  readonly facet: Facet;
  readonly rowCount: number;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

function toShown(field: Facet['field'], value: string): string {
  if (field === 'errorInTrace') return 'Error in trace';
  return field === 'kind' ? kindLabel(value.toLowerCase() as Parameters<typeof kindLabel>[0]) : value;
}

function FacetSection({ facet, rowCount, filter, onFilter }: FacetSectionProps) {
  const { field, key, values } = facet;
  const [label, name] = field === 'metadata' ? [key ?? '', `metadata[${quote(key ?? '')}]`] : NAMES[field];
  return (
    <section className="facet">
      <h3 className="clip" title={label}>
        {label}
        {field === 'metadata' && <span className="muted"> metadata</span>}
      </h3>
      <ul>
        {values.map(({ value, isText, count }) => {
          const choice = { field: name, value: isText ? value : value === 'True' || Number(value) };
          const isIn = hasCondition(filter, writeCondition(choice, false));
          const shown = toShown(field, value);
          return (
            <li key={value} style={{ '--share': `${(100 * count) / Math.max(1, rowCount)}%` } as React.CSSProperties}>
              <button
                type="button"
                className="facet-value"
                aria-pressed={isIn}
                title={value}
                onClick={() => onFilter(toggleCondition(filter, choice, false))}
              >
                <span className="clip" dir="auto">
                  {shown.trim() === '' ? <i>{field === 'name' ? shownName(shown) : 'empty'}</i> : shown}
                </span>
                <span className="muted facet-count">{formatCount(count)}</span>
              </button>
              <button
                type="button"
                className="button bare small icon-only facet-without"
                aria-label={`Exclude ${shown}`}
                title="Exclude from the filter"
                onClick={() => onFilter(toggleCondition(filter, choice, true))}
              >
                <Icon name="minus" size={12} />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
