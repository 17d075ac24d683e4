import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { Link } from '../../../router/Link.tsx';
import { onlineFailures, retryOnlineItems } from './generated/online.ts';
import type { OnlineEvaluator } from './online-text.ts';

const toTrace = (traceId: string): string => `/redirects/traces/${encodeURIComponent(traceId)}`;
const toSession = (projectId: string, id: string): string =>
  `/projects/${encodeURIComponent(projectId)}/sessions/${encodeURIComponent(id)}`;

interface OnlineFailuresProps {
  readonly projectId: string;
  readonly evaluator: OnlineEvaluator;
}

/** The latest failures of an evaluator by error, on request, with a button that scores their targets again. */
export function OnlineFailures({ projectId, evaluator: { id, target } }: OnlineFailuresProps) {
  const [isOpen, setOpen] = useState(false);
  const times = useTimeFormat();
  const { may } = useAccess();
  const change = useChange();
  const { data, failure } = useQuery(onlineFailures, isOpen ? { id } : undefined, { keeps: false });
  const items = data?.onlineEvaluator?.items;
  return (
    <details className="online-failures" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Why evaluations failed</summary>
      {failure && <Problem text={failure.message} />}
      {items?.length === 0 && <p className="muted">No failed targets remain: they were scored later.</p>}
      {items && items.length > 0 && (
        <>
          <ul>
            {groupByError(items).map(({ error, count, latest: { targetId, traceId, changedAt } }) => (
              <li key={error}>
                <span className="online-error" dir="auto">
                  {error}
                </span>
                <span className="muted">{count === items.length ? 'each time' : `${count} of ${items.length}`}</span>
                <span className="muted" title={times.full(changedAt)}>
                  {times.short(changedAt)}
                </span>
                <Link to={target === 'SESSION' ? toSession(projectId, targetId) : toTrace(traceId)}>
                  Show {target === 'SESSION' ? 'session' : 'trace'}
                </Link>
              </li>
            ))}
          </ul>
          <Problem text={change.problem} />
          {may(retryOnlineItems) && (
            <button
              type="button"
              className="button small"
              disabled={change.isBusy}
              onClick={() =>
                void change.run(
                  () => send(retryOnlineItems, { id }),
                  () => toast('Failed targets and those over the budget are scored again.'),
                )
              }
            >
              Score again
            </button>
          )}
        </>
      )}
    </details>
  );
}

interface Failed {
  readonly error: string | null;
}

/** Failures with the same error, in the order of the latest one. */
function groupByError<Item extends Failed>(
  items: readonly Item[],
): readonly { readonly error: string; readonly count: number; readonly latest: Item }[] {
  const groups = new Map<string, { error: string; count: number; latest: Item }>();
  for (const item of items) {
    const error = item.error ?? '';
    const group = groups.get(error);
    if (group) group.count++;
    else groups.set(error, { error, count: 1, latest: item });
  }
  return [...groups.values()];
}
