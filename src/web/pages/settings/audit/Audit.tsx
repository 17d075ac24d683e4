import { useEffect, useMemo, useRef } from 'react';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { toast, toastFailure } from '../../../components/toasts.tsx';
import { download } from '../../../data/download.ts';
import { send, toFailure } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { usePoll } from '../../../data/use-poll.ts';
import { useRows } from '../../../data/use-rows.ts';
import { formatCount } from '../../../format/numbers.ts';
import { setSearch, useLocation } from '../../../router/location.ts';
import { AuditEntry, type Entry } from './AuditEntry.tsx';
import { AuditFilterBar } from './AuditFilterBar.tsx';
import { type AuditFilter, isFiltered, NO_FILTER, readFilter, toApiFilter, toCsvPath } from './audit-filter.ts';
import { CheckLog } from './CheckLog.tsx';
import { settingsAudit } from './generated/audit.ts';
import './audit.css';

/** Interval in which the page looks for new entries. */
const REFRESH_MS = 5_000;

const entryId = ({ id }: Entry): string => id;

async function readEntries(filter: AuditFilter, after: string | undefined, signal: AbortSignal) {
  const variables = { after: after ?? null, filter: toApiFilter(filter, Date.now()) };
  const { auditLog } = await send(settingsAudit, variables, signal);
  const { hasNextPage, endCursor } = auditLog.pageInfo;
  return { rows: auditLog.edges.map(({ node }) => node), next: hasNextPage ? (endCursor ?? undefined) : undefined };
}

/** The audit log: who did what, newest first. */
export function Audit() {
  const { search } = useLocation();
  const filter = useMemo(() => readFilter(search), [search]);
  const list = useRows([settingsAudit.name, filter], (after, signal) => readEntries(filter, after, signal), entryId);
  const { rows, failure, isLoading, isStale, isComplete, newCount } = list;
  const top = useRef<HTMLElement>(null);
  const isAway = () => (top.current?.closest('.page-body')?.scrollTop ?? 0) > AWAY_PX;
  usePoll(() => list.refresh(isAway()), filter.until === undefined ? REFRESH_MS : undefined);
  const showNew = () => {
    top.current?.closest('.page-body')?.scrollTo({ top: 0 });
    list.clearNew();
    list.refresh();
  };
  return (
    <section className="settings-list audit" ref={top}>
      <header>
        <div className="grow">
          <h2>Audit log</h2>
          <p className="muted">Sign-ins, changes of access, deletions and exports: who did it, from where, and when.</p>
        </div>
        <ExportButton filter={filter} isEmpty={rows.length === 0} />
      </header>
      <CheckLog />
      <AuditFilterBar filter={filter} />
      {newCount !== 0 && (
        <button type="button" className="button audit-new" onClick={showNew}>
          <Icon name="up" size={12} /> {newCount === 'many' ? 'Many' : formatCount(newCount)} new{' '}
          {newCount === 1 ? 'entry' : 'entries'}
        </button>
      )}
      <ul className="card audit-entries" aria-label="Audit log" aria-busy={isLoading && isStale}>
        {rows.map((entry) => (
          <AuditEntry key={entry.id} entry={entry} />
        ))}
        {rows.length === 0 && !failure && (isStale ? <Skeleton /> : <Nothing filter={filter} />)}
        {rows.length > 0 && !isComplete && !failure && <More onMore={list.loadMore} isLoading={isLoading} />}
      </ul>
      {failure && <Failure failure={failure} onRetry={list.retry} />}
    </section>
  );
}

/** Scrolled further than this, the user reads older entries, which must not move. */
const AWAY_PX = 200;

function Nothing({ filter }: { readonly filter: AuditFilter }) {
  if (!isFiltered(filter)) {
    return <li className="empty">No entries yet. Sign-ins, changes, deletions and exports appear here.</li>;
  }
  return (
    <li className="empty">
      No entries match these filters.
      <button type="button" className="button" onClick={() => setSearch(NO_FILTER)}>
        Show all entries
      </button>
    </li>
  );
}

const Skeleton = () =>
  [60, 44, 52, 38].map((width) => (
    <li key={width}>
      <div className="skeleton" style={{ width: `${width}%`, height: 14, margin: 12 }} />
    </li>
  ));

/** Loads older entries when the user scrolls to it or presses it. */
function More({ onMore, isLoading }: { readonly onMore: () => void; readonly isLoading: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), { rootMargin: '300px' });
    observer.observe(button.current!);
    return () => observer.disconnect();
  }, [onMore]);
  return (
    <li className="audit-more">
      <button ref={button} type="button" className="button small" disabled={isLoading} onClick={onMore}>
        {isLoading ? 'Loading…' : 'Show older entries'}
      </button>
    </li>
  );
}

/** Nothing ends the download. */
const NEVER = new AbortController().signal;

/** Downloads the entries that match the filter. */
function ExportButton({ filter, isEmpty }: { readonly filter: AuditFilter; readonly isEmpty: boolean }) {
  const { isBusy, run } = useChange([]);
  const save = () =>
    void run(
      () =>
        download({ path: toCsvPath(filter, Date.now()) }, 'audit-log.csv', NEVER, () => {}).then(
          () => toast('audit-log.csv saved.'),
          (error: unknown) => toastFailure(toFailure(error).message),
        ),
      () => {},
    );
  return (
    <button
      type="button"
      className="button"
      disabled={isBusy || isEmpty}
      title="At most 100,000 entries that match the filters, newest first"
      onClick={save}
    >
      <Icon name="download" size={13} /> Export CSV
    </button>
  );
}
