import { useMemo, useRef, useState } from 'react';
import { Failure, FailureLine } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { ColumnsMenu } from '../../../components/table/ColumnsMenu.tsx';
import { isColumnChoice, NO_CHOICE } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/DataTable.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { useStoredState } from '../../../preferences/stored-state.ts';
import { appUrl } from '../../../router/app-url.ts';
import { navigate, setSearch, useLocation } from '../../../router/location.ts';
import type { DatasetTabProps } from '../dataset-tabs.ts';
import { tabPath } from '../dataset-tabs.ts';
import { ExperimentActions } from './ExperimentActions.tsx';
import { ExperimentChart } from './ExperimentChart.tsx';
import { experimentColumns } from './experiment-columns.tsx';
import { datasetOf, type ExperimentRow } from './experiment-row.ts';
import { experimentNames } from './generated/experiments.ts';
import { NoExperiments } from './NoExperiments.tsx';
import { readSort } from './read-sort.ts';
import type { ScoreRange } from './ScoreCell.tsx';
import { useExperiments } from './use-experiments.ts';

type ExperimentsTableProps = Pick<DatasetTabProps, 'dataset' | 'onChange'>;

/** Table of experiments with a chart above it. */
export function ExperimentsTable({ dataset, onChange }: ExperimentsTableProps) {
  const { search: query } = useLocation();
  const search = query.get('search') ?? '';
  const groupBy = query.get('groupBy') ?? undefined;
  const sort = readSort(query.get('sort'));
  const times = useTimeFormat();
  const [choice, setChoice] = useStoredState(`columns.${dataset.id}.experiments`, NO_CHOICE, isColumnChoice);
  const [hasChart, setChart] = useStoredState('experiments.chart', true, isBoolean);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const names = useQuery(experimentNames, { id: dataset.id });
  const known = datasetOf(names.data);
  const { list, rows, costs } = useExperiments({ datasetId: dataset.id, search, sort, groupBy });
  const ranges = useRanges(known?.experimentAnnotationSummaries);
  const columns = useMemo(
    () => experimentColumns({ datasetId: dataset.id, times, ranges, costs }),
    [dataset.id, times, ranges, costs],
  );
  const chosen = list.rows.filter(({ id }) => selected.has(id));

  if (list.rows.length === 0 && list.isComplete && !list.isStale && !list.failure && search === '') {
    return <NoExperiments dataset={dataset} onArrived={onChange} />;
  }
  return (
    <>
      <div className="table-bar">
        <SearchField search={search} />
        <GroupChoice keys={known?.experimentMetadataKeys ?? []} value={groupBy} />
        <span className="grow" />
        <button
          type="button"
          className="button icon-only"
          aria-label="Chart"
          title={hasChart ? 'Hide the chart' : 'Show the chart'}
          aria-pressed={hasChart}
          onClick={() => setChart(!hasChart)}
        >
          <Icon name="evaluator" size={14} />
        </button>
        <ColumnsMenu columns={columns} choice={choice} onChoice={setChoice} />
      </div>
      {hasChart && <ExperimentChart datasetId={dataset.id} names={[...ranges.keys()]} rows={list.rows} costs={costs} />}
      <div className="table-area">
        {list.failure && rows.length === 0 ? (
          <Failure failure={list.failure} onRetry={list.retry} />
        ) : (
          <DataTable
            label="Experiments"
            columns={columns}
            choice={choice}
            onChoice={setChoice}
            rows={rows}
            rowId={rowId}
            selection={{ ids: selected, onChange: (ids) => setSelected(withoutGroups(ids, rows, selected)) }}
            sort={sort}
            onSort={({ col, dir }) => setSearch({ sort: `${col}:${dir}` })}
            onOpen={(row, event) => {
              if (row.__typename === 'Group') return;
              const path = tabPath(dataset.id, 'experiments', row.id);
              if (event.metaKey || event.ctrlKey) window.open(appUrl(path), '_blank');
              else navigate(path);
            }}
            onEnd={list.isLoading || list.failure || list.isComplete ? undefined : list.loadMore}
            isBusy={list.isLoading && (rows.length === 0 || list.isStale)}
            foot={list.failure && <FailureLine failure={list.failure} onRetry={list.retry} />}
            empty={
              <div className="empty">
                <h2>No experiment has “{search}” in its name or description</h2>
                <button type="button" className="button" onClick={() => setSearch({ search: null })}>
                  Show all experiments
                </button>
              </div>
            }
          />
        )}
      </div>
      <ExperimentActions
        datasetId={dataset.id}
        baselineId={known?.baselineExperiment?.id}
        experiments={chosen}
        onClear={() => setSelected(new Set())}
        onDeleted={() => {
          setSelected(new Set());
          onChange();
        }}
      />
    </>
  );
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const rowId = ({ id }: ExperimentRow): string => id;

/** Selecting the head of a group selects its experiments, or none of them if all were selected. */
function withoutGroups(
  ids: ReadonlySet<string>,
  rows: readonly ExperimentRow[],
  before: ReadonlySet<string>,
): ReadonlySet<string> {
  const chosen = new Set(ids);
  for (const [index, row] of rows.entries()) {
    if (row.__typename !== 'Group' || !chosen.delete(row.id)) continue;
    const end = rows.findIndex((each, at) => at > index && each.__typename === 'Group');
    const members = rows.slice(index + 1, end < 0 ? undefined : end).map(rowId);
    const isAll = members.every((id) => before.has(id));
    for (const id of members) {
      if (isAll) chosen.delete(id);
      else chosen.add(id);
    }
  }
  return chosen;
}

type Summaries = readonly {
  readonly annotationName: string;
  readonly minScore: number | null;
  readonly maxScore: number | null;
}[];

/** Bars start at 0 and end at 1 unless scores are outside of that. */
function useRanges(summaries: Summaries | undefined): ReadonlyMap<string, ScoreRange> {
  return useMemo(
    () =>
      new Map(
        summaries?.map(({ annotationName, minScore, maxScore }) => [
          annotationName,
          { low: Math.min(0, minScore ?? 0), high: Math.max(1, maxScore ?? 1) },
        ]),
      ),
    [summaries],
  );
}

function SearchField({ search }: { readonly search: string }) {
  // Continuous typing is one step of the browser history. While the user types, this is the current text of the step.
  const typed = useRef<string>(undefined);
  return (
    <input
      className="input experiment-search"
      type="search"
      placeholder="Search experiments"
      aria-label="Search experiments by name or description"
      value={search}
      onChange={({ target: { value } }) => {
        setSearch({ search: value || null }, { replaces: typed.current === search });
        typed.current = value;
      }}
      onBlur={() => {
        typed.current = undefined;
      }}
    />
  );
}

function GroupChoice({ keys, value }: { readonly keys: readonly string[]; readonly value: string | undefined }) {
  if (keys.length === 0 && value === undefined) return null;
  const options = value === undefined || keys.includes(value) ? keys : [value, ...keys];
  return (
    <label className="row group-choice">
      <span className="muted">Group by</span>
      <select
        className="input"
        value={value ?? ''}
        onChange={({ target }) => setSearch({ groupBy: target.value || null })}
      >
        <option value="">No group</option>
        {options.map((key) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </select>
    </label>
  );
}
