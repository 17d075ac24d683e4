import { useMemo, useState } from 'react';
import { Failure, FailureLine } from '../../../components/Failure.tsx';
import { ColumnsMenu } from '../../../components/table/ColumnsMenu.tsx';
import { isColumnChoice, NO_CHOICE, type SortState } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/DataTable.tsx';
import type { RowPage } from '../../../data/merge-rows.ts';
import { RequestFailure, send } from '../../../data/request.ts';
import { useRows } from '../../../data/use-rows.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useStoredState } from '../../../preferences/stored-state.ts';
import { setSearch, useLocation } from '../../../router/location.ts';
import type { Compared } from '../compared.ts';
import { ExperimentMark, titleOf } from '../ExperimentMark.tsx';
import { listedRuns } from './generated/list.ts';
import { listColumns } from './list-columns.tsx';
import type { ListedExperiment, ListedRun } from './listed-run.ts';
import '../grid/grid.css';

const SCORE = 'score:';
const runId = ({ id }: ListedRun): string => id;

/** The runs of one experiment as a table. */
export function RunList({ compared }: { readonly compared: readonly Compared[] }) {
  const { search } = useLocation();
  const [choice, setChoice] = useStoredState('columns.comparisonList', NO_CHOICE, isColumnChoice);
  const of = compared.find(({ id }) => id === search.get('of')) ?? compared[0]!;
  const sort = readSort(search.get('listSort'));
  const [means, setMeans] = useState<Omit<ListedExperiment, 'runs'>>();
  const load = async (after: string | undefined, signal: AbortSignal): Promise<RowPage<ListedRun>> => {
    const { experiment } = await send(listedRuns, { id: of.id, after: after ?? null, sort: toInput(sort) }, signal);
    if (experiment.__typename !== 'Experiment') throw new RequestFailure('notFound', 'The experiment does not exist.');
    setMeans(experiment);
    const { runs } = experiment;
    return {
      rows: runs.edges.map(({ node }) => node),
      next: runs.pageInfo.hasNextPage ? (runs.pageInfo.endCursor ?? undefined) : undefined,
    };
  };
  const list = useRows([listedRuns.name, of.id, sort], load, runId);
  const columns = useMemo(
    () =>
      listColumns({ scores: means?.annotationSummaries ?? [], averageLatencyMs: means?.averageRunLatencyMs ?? null }),
    [means],
  );
  return (
    <>
      <div className="table-bar">
        {compared.length > 1 && (
          <span className="segments" role="group" aria-label="Listed experiment">
            {compared.map((each) => (
              <button
                key={each.id}
                type="button"
                aria-pressed={each === of}
                title={titleOf(each)}
                onClick={() => setSearch({ of: each.id }, { replaces: true })}
              >
                <ExperimentMark of={each} />
              </button>
            ))}
          </span>
        )}
        <strong className="clip" dir="auto">
          {of.name}
        </strong>
        {means && <span className="muted">{formatCount(means.runCount)} runs</span>}
        <span className="grow" />
        <ColumnsMenu columns={columns} choice={choice} onChoice={setChoice} />
      </div>
      <div className="table-area">
        {list.failure && list.rows.length === 0 ? (
          <Failure failure={list.failure} onRetry={() => list.refresh()} />
        ) : (
          <DataTable
            label={`Runs of ${of.name}`}
            columns={columns}
            choice={choice}
            onChoice={setChoice}
            rows={list.rows}
            rowId={runId}
            sort={sort}
            onSort={({ col, dir }) => setSearch({ listSort: `${dir}:${col}` })}
            movesByLetters
            onOpen={({ example }) => setSearch({ view: null, exampleId: example.id })}
            onEnd={list.isLoading || list.failure ? undefined : list.loadMore}
            isBusy={list.isLoading && (list.rows.length === 0 || list.isStale)}
            foot={list.failure && <FailureLine failure={list.failure} onRetry={list.retry} />}
            empty={
              <div className="empty">
                <h2>No runs yet</h2>
                <p>The experiment has no runs. They appear here as soon as a client or the server has run its task.</p>
              </div>
            }
          />
        )}
      </div>
    </>
  );
}

/** Reads `desc:latencyMs` or `asc:score:name`. */
function readSort(text: string | null): SortState | undefined {
  const [, dir, col] = /^(asc|desc):(latencyMs|score:.+)$/s.exec(text ?? '') ?? [];
  return dir && col ? { dir: dir as SortState['dir'], col } : undefined;
}

function toInput(sort: SortState | undefined) {
  if (!sort) return null;
  const { col, dir } = sort;
  return {
    col: col.startsWith(SCORE) ? { annotationName: col.slice(SCORE.length) } : { metric: 'latencyMs' as const },
    dir,
  };
}
