import { type ReactNode, useMemo } from 'react';
import { Failure, FailureLine } from '../../components/Failure.tsx';
import { ColumnsMenu } from '../../components/table/ColumnsMenu.tsx';
import { isColumnChoice, NO_CHOICE, type SortState } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/DataTable.tsx';
import type { Rows } from '../../data/use-rows.ts';
import { useTimeFormat } from '../../format/times.ts';
import { useStoredState } from '../../preferences/stored-state.ts';
import { appUrl } from '../../router/app-url.ts';
import { navigate, setSearch } from '../../router/location.ts';
import { evaluatorColumns } from './evaluator-columns.tsx';
import { type EvaluatorRow, evaluatorPath, isHead } from './evaluator-row.ts';
import './evaluators.css';

interface EvaluatorTableProps {
  readonly list: Omit<Rows<unknown>, 'rows'> & { readonly rows: readonly unknown[] };
  readonly rows: readonly EvaluatorRow[];
  readonly hasDatasets: boolean;
  readonly search: string;
  readonly sort: SortState | undefined;
  /** Shown if there are no evaluators. */
  readonly empty: ReactNode;
  /** Actions of the bar. */
  readonly children?: ReactNode;
}

/** Table of evaluators with a field that searches their names. */
export function EvaluatorTable({ list, rows, hasDatasets, search, sort, empty, children }: EvaluatorTableProps) {
  const times = useTimeFormat();
  const [choice, setChoice] = useStoredState('columns.evaluators', NO_CHOICE, isColumnChoice);
  const columns = useMemo(() => evaluatorColumns(times, { hasDatasets }), [times, hasDatasets]);
  const open = (row: EvaluatorRow, event: { readonly metaKey: boolean; readonly ctrlKey: boolean }) => {
    if (isHead(row)) return;
    if (event.metaKey || event.ctrlKey) window.open(appUrl(evaluatorPath(row)), '_blank');
    else navigate(evaluatorPath(row));
  };
  return (
    <>
      <div className="table-bar">
        <input
          className="input evaluator-search"
          type="search"
          placeholder="Search evaluators"
          aria-label="Search evaluators by name"
          value={search}
          onChange={({ target }) => setSearch({ search: target.value || null }, { replaces: true })}
        />
        <span className="grow" />
        <ColumnsMenu columns={columns} choice={choice} onChoice={setChoice} />
        {children}
      </div>
      <div className="table-area">
        {list.failure && rows.length === 0 ? (
          <Failure failure={list.failure} onRetry={list.retry} />
        ) : (
          <DataTable
            label="Evaluators"
            columns={columns}
            choice={choice}
            onChoice={setChoice}
            rows={rows}
            rowId={rowId}
            sort={sort ?? { col: 'name', dir: 'asc' }}
            onSort={({ col, dir }) => setSearch({ sort: `${col}:${dir}` })}
            onOpen={open}
            onEnd={list.isLoading || list.failure || list.isComplete ? undefined : list.loadMore}
            isBusy={list.isLoading && (rows.length === 0 || list.isStale)}
            foot={list.failure && <FailureLine failure={list.failure} onRetry={list.retry} />}
            empty={
              <div className="empty">
                {search === '' ? (
                  empty
                ) : (
                  <>
                    <h2>No evaluator has “{search}” in its name</h2>
                    <button type="button" className="button" onClick={() => setSearch({ search: null })}>
                      Show all evaluators
                    </button>
                  </>
                )}
              </div>
            }
          />
        )}
      </div>
    </>
  );
}

const rowId = ({ id }: EvaluatorRow): string => id;
