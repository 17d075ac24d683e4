import { NO_CHOICE } from '../../components/table/column.ts';
import { hasRange } from '../../router/carried-range.ts';
import { navigate, useLocation } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { readRange } from '../../time-range/time-range.ts';
import { toSpanList } from '../project/spans/span-list.ts';
import { toSpanOrder } from '../project/spans/span-order.ts';
import { tableQuery } from './order/table-address.ts';
import { toStep, useTraceOrder } from './order/trace-order.ts';
import { useReadOrder } from './order/use-read-order.ts';
import { PlaceButton, StepActions } from './TraceActions.tsx';
import { TraceView } from './TraceView.tsx';
import { useTrace } from './use-trace.ts';

/** Trace on a full page. */
export function TracePage({ params }: { readonly params: RouteParams }) {
  const { projectId = '', traceId = '' } = params;
  const { search } = useLocation();
  const open = useTrace(projectId, traceId);
  const order = useTraceOrder();
  const tab = params.tab === 'spans' ? 'spans' : 'traces';
  const list = toSpanList({ projectId, tab, range: readRange(search), choice: NO_CHOICE }, search);
  // The trace loads first. A trace that was opened by its ID is not a row of a table.
  useReadOrder(open.tree && hasRange(search) ? toSpanOrder(list, tableQuery(search)) : undefined);
  const step = (entry: typeof order.next) => entry && navigate(toStep(entry), { replaces: true });
  useHotkeys({ j: () => step(order.next), k: () => step(order.previous), escape: () => navigate(order.back) });
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Projects', to: '/projects' },
          { label: open.projectName ?? '…', to: order.back },
          { label: open.tree?.title() ?? traceId.slice(0, 12) },
        ]}
      >
        <span className="row">
          <StepActions order={order} />
          <PlaceButton />
        </span>
      </PageHeader>
      <TraceView projectId={projectId} open={open} />
    </>
  );
}
