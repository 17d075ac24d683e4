import { appPath } from '../../router/app-url.ts';
import { navigate, useLocation } from '../../router/location.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { useHotkeys } from '../../shell/use-hotkeys.ts';
import { PlaceButton, StepActions } from './TraceActions.tsx';
import { TraceView } from './TraceView.tsx';
import { toStep, useTraceOrder } from './trace-order.ts';
import { useTrace } from './use-trace.ts';

/** A trace on a page of its own. */
export function TracePage({ params }: { readonly params: RouteParams }) {
  const { projectId = '', traceId = '' } = params;
  const { path, search } = useLocation();
  const open = useTrace(projectId, traceId);
  const order = useTraceOrder(path, search.get('selectedSpanNodeId'));
  const tab = path.includes('/traces/') ? 'traces' : 'spans';
  const table = order.back ? appPath(order.back) : `/projects/${encodeURIComponent(projectId)}/${tab}`;
  const step = (entry: typeof order.next) => entry && navigate(toStep(entry), { replaces: true });
  useHotkeys({ j: () => step(order.next), k: () => step(order.previous), escape: () => navigate(table) });
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Projects', to: '/projects' },
          { label: open.projectName ?? '…', to: table },
          { label: open.tree?.title() ?? traceId.slice(0, 12) },
        ]}
      >
        <span className="row">
          <StepActions order={order} path={path} />
          <PlaceButton />
        </span>
      </PageHeader>
      <TraceView projectId={projectId} open={open} />
    </>
  );
}
