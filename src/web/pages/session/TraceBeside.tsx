import { Icon } from '../../components/Icon.tsx';
import { Link } from '../../router/Link.tsx';
import { TraceView } from '../trace/TraceView.tsx';
import { useTrace } from '../trace/use-trace.ts';
import { closeTrace } from './close-trace.ts';

/** Trace of a turn, beside the conversation. */
export function TraceBeside({ projectId, traceId }: { readonly projectId: string; readonly traceId: string }) {
  const open = useTrace(projectId, traceId);
  return (
    <aside className="beside" aria-label="Trace">
      <header className="beside-head">
        <h2 className="clip grow">{open.tree?.title() ?? traceId.slice(0, 12)}</h2>
        <Link
          className="button small icon-only"
          to={`/projects/${encodeURIComponent(projectId)}/traces/${traceId}`}
          aria-label="Open the trace on a full page"
          title="Open on a full page"
        >
          <Icon name="expand" size={13} />
        </Link>
        <button
          type="button"
          className="button small icon-only"
          aria-label="Close the trace"
          title="Close (Esc)"
          onClick={closeTrace}
        >
          <Icon name="close" size={13} />
        </button>
      </header>
      <TraceView projectId={projectId} open={open} />
    </aside>
  );
}
