import { useMemo } from 'react';
import { Failure, FailureBoundary } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { RequestFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { canGoBack, navigate, setSearch, useLocation } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { compareSides } from './generated/compare.ts';
import { SpanDiff } from './SpanDiff.tsx';
import { TraceDiff } from './TraceDiff.tsx';
import './compare.css';

/** Compares two traces or two spans side by side. */
export function ComparePage({ params }: { readonly params: RouteParams }) {
  const { projectId = '' } = params;
  const { search } = useLocation();
  const ids = { left: search.get('left') ?? '', right: search.get('right') ?? '' };
  const variables = useMemo(() => ({ ids: [ids.left, ids.right] }), [ids.left, ids.right]);
  const query = useQuery(compareSides, ids.left && ids.right ? variables : undefined, { keeps: false });
  const [left, right] = query.isStale || !query.data ? [] : query.data.sides;
  const table = `/projects/${encodeURIComponent(projectId)}/traces`;
  // A page in its own tab has no previous page.
  const leave = () => (canGoBack() ? window.history.back() : navigate(table));
  useHotkeys({ escape: leave });
  const swap = () => setSearch({ left: ids.right, right: ids.left, pair: null }, { replaces: true });
  const name = left && 'project' in left ? left.project.name : '…';
  return (
    <>
      <PageHeader crumbs={[{ label: 'Projects', to: '/projects' }, { label: name, to: table }, { label: 'Compare' }]}>
        <button type="button" className="button small" onClick={swap}>
          <Icon name="swap" size={13} /> Swap sides
        </button>
        <button
          type="button"
          className="button small icon-only"
          aria-label="Close the comparison"
          title="Close (Esc)"
          onClick={leave}
        >
          <Icon name="close" size={13} />
        </button>
      </PageHeader>
      <FailureBoundary name="The comparison" key={`${ids.left} ${ids.right}`}>
        {query.failure || !ids.left || !ids.right ? (
          <Failure failure={query.failure ?? NOTHING_CHOSEN} onRetry={query.refetch} />
        ) : left?.__typename === 'Trace' && right?.__typename === 'Trace' ? (
          <TraceDiff left={left} right={right} />
        ) : left?.__typename === 'Span' && right?.__typename === 'Span' ? (
          <div className="span-diff-page">
            <SpanDiff leftId={left.id} rightId={right.id} />
          </div>
        ) : left && right ? (
          <Failure failure={NO_PAIR} />
        ) : (
          <div className="trace" aria-busy="true" />
        )}
      </FailureBoundary>
    </>
  );
}

const NOTHING_CHOSEN = new RequestFailure(
  'notFound',
  'Nothing to compare',
  'Select two traces or two spans in a table, then choose Compare.',
);
const NO_PAIR = new RequestFailure('notFound', 'Cannot compare a trace with a span', 'Select two traces or two spans.');
