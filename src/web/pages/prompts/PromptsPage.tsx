import { useMemo, useRef } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { Failure, FailureLine } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { LabelFilter } from '../../components/labels/LabelFilter.tsx';
import { PROMPT_LABELS } from '../../components/labels/label-kinds.ts';
import { ColumnsMenu } from '../../components/table/ColumnsMenu.tsx';
import { isColumnChoice, NO_CHOICE } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/DataTable.tsx';
import { send } from '../../data/request.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useRows } from '../../data/use-rows.ts';
import { useTimeFormat } from '../../format/times.ts';
import { useStoredState } from '../../preferences/stored-state.ts';
import { appUrl } from '../../router/app-url.ts';
import { Link } from '../../router/Link.tsx';
import { navigate, setSearch, useLocation } from '../../router/location.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { FirstPrompt } from './FirstPrompt.tsx';
import { promptList } from './generated/prompts.ts';
import { promptColumns } from './prompt-columns.tsx';
import { type PromptRow, promptPath } from './prompt-row.ts';
import './prompts.css';

const PAGE_COUNT = 50;
const REREAD_MS = 60_000;

const rowId = ({ id }: PromptRow): string => id;

async function readPrompts(text: string, labelIds: readonly string[], after: string | undefined, signal: AbortSignal) {
  const { prompts } = await send(
    promptList,
    {
      first: PAGE_COUNT,
      after: after ?? null,
      filter: text === '' ? null : { col: 'name', value: text },
      labelIds: labelIds.length === 0 ? null : labelIds,
    },
    signal,
  );
  const { hasNextPage, endCursor } = prompts.pageInfo;
  return { rows: prompts.edges.map(({ node }) => node), next: hasNextPage ? (endCursor ?? undefined) : undefined };
}

/** All prompts, newest first. */
export function PromptsPage() {
  const { search } = useLocation();
  const times = useTimeFormat();
  const { hasSignIn, may } = useAccess();
  const text = search.get('search') ?? '';
  const labelIds = search.getAll('labelId');
  const [choice, setChoice] = useStoredState('columns.prompts', NO_CHOICE, isColumnChoice);
  const list = useRows(
    [promptList.name, text, labelIds],
    (after, signal) => readPrompts(text, labelIds, after, signal),
    rowId,
  );
  const { rows, failure, isLoading, isComplete, refresh } = list;
  usePoll(() => refresh(), REREAD_MS);
  const reread = list.reread;
  const columns = useMemo(
    () =>
      promptColumns(times, () => void reread()).filter(
        ({ id }) => hasSignIn || (id !== 'createdBy' && id !== 'updatedBy'),
      ),
    [times, reread, hasSignIn],
  );
  // Continuous typing is one step of the browser history.
  const typed = useRef<string>(undefined);
  const seek = (next: string) => {
    setSearch({ search: next || null }, { replaces: typed.current === text });
    typed.current = next;
  };
  const isFiltered = text !== '' || labelIds.length > 0;
  const isEmpty = rows.length === 0 && !isLoading && !failure && !isFiltered;
  return (
    <>
      <PageHeader crumbs={[{ label: 'Prompts' }]}>
        {may('member') && (
          <Link className="button" to="/playground">
            <Icon name="playground" size={13} /> New prompt in the playground
          </Link>
        )}
      </PageHeader>
      {isEmpty ? (
        <div className="page-body prompts-empty">
          <FirstPrompt />
        </div>
      ) : (
        <>
          <div className="table-bar">
            <input
              className="input prompts-search"
              type="search"
              placeholder="Search prompts"
              aria-label="Search prompts by name"
              value={text}
              onChange={(event) => seek(event.target.value)}
              onBlur={() => {
                typed.current = undefined;
              }}
            />
            <LabelFilter
              kind={PROMPT_LABELS}
              value={labelIds}
              onChange={(ids) => setSearch({ labelId: ids.length === 0 ? null : ids })}
            />
            <span className="grow" />
            <ColumnsMenu columns={columns} choice={choice} onChoice={setChoice} />
          </div>
          {failure && rows.length === 0 ? (
            <Failure failure={failure} onRetry={list.retry} />
          ) : (
            <DataTable
              label="Prompts"
              columns={columns}
              choice={choice}
              onChoice={setChoice}
              rows={rows}
              rowId={rowId}
              isBusy={isLoading && list.isStale}
              onOpen={({ id }, { metaKey, ctrlKey }) => {
                if (metaKey || ctrlKey) window.open(appUrl(promptPath(id)), '_blank');
                else navigate(promptPath(id));
              }}
              onEnd={isComplete ? undefined : list.loadMore}
              foot={failure && <FailureLine failure={failure} onRetry={list.retry} />}
              empty={
                <div className="empty">
                  <h2>No prompts match</h2>
                  <p>No prompt has this text in its name and one of the chosen labels.</p>
                  <button type="button" className="button" onClick={() => setSearch({ search: null, labelId: null })}>
                    Show all prompts
                  </button>
                </div>
              }
            />
          )}
        </>
      )}
    </>
  );
}
