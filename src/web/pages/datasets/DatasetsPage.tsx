import { useRef, useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { FileImportDialog } from '../../components/dataset-files/FileImportDialog.tsx';
import { Failure, FailureLine } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { LabelFilter } from '../../components/labels/LabelFilter.tsx';
import { DATASET_LABELS } from '../../components/labels/label-kinds.ts';
import { loadSample } from '../../components/sample/create-sample.ts';
import { createSample } from '../../components/sample/generated/sample.ts';
import { ColumnsMenu } from '../../components/table/ColumnsMenu.tsx';
import { isColumnChoice, NO_CHOICE, type SortState } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/DataTable.tsx';
import type { RowPage } from '../../data/merge-rows.ts';
import { send } from '../../data/request.ts';
import { usePoll } from '../../data/use-poll.ts';
import { useRows } from '../../data/use-rows.ts';
import { useTimeFormat } from '../../format/times.ts';
import { useStoredState } from '../../preferences/stored-state.ts';
import { appUrl } from '../../router/app-url.ts';
import { navigate, setSearch, useLocation } from '../../router/location.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { DatasetForm } from './DatasetForm.tsx';
import { datasetColumns } from './dataset-columns.tsx';
import { type DatasetRow, datasetPath } from './dataset-row.ts';
import { createDataset, datasetList } from './generated/datasets.ts';
import { NoDatasets } from './NoDatasets.tsx';
import './datasets.css';

const PAGE_COUNT = 50;
const REREAD_MS = 60_000;
const SORTS = ['name', 'createdAt'] as const;

/** All datasets, newest first. */
export function DatasetsPage() {
  const { search } = useLocation();
  const { may } = useAccess();
  const times = useTimeFormat();
  const [choice, setChoice] = useStoredState('columns.datasets', NO_CHOICE, isColumnChoice);
  const [creates, setCreates] = useState<'empty' | 'file'>();
  const searchText = search.get('search') ?? '';
  const labelIds = (search.get('label') ?? '').split(',').filter((id) => id !== '');
  // Continuous typing is one step of the browser history. While the user types, this is the current text of the step.
  const typed = useRef<string>(undefined);
  const seek = (text: string) => {
    setSearch({ search: text || null }, { replaces: typed.current === searchText });
    typed.current = text;
  };
  const sort = readSort(search.get('sort'));
  const load = async (after: string | undefined, signal: AbortSignal): Promise<RowPage<DatasetRow>> => {
    const { datasets } = await send(
      datasetList,
      {
        first: PAGE_COUNT,
        after: after ?? null,
        sort: sort as { readonly col: (typeof SORTS)[number]; readonly dir: 'asc' | 'desc' },
        filter: {
          ...(searchText !== '' && { col: 'name', value: searchText }),
          ...(labelIds.length > 0 && { filterLabels: labelIds }),
        },
      },
      signal,
    );
    return {
      rows: datasets.edges.map(({ node }) => node),
      next: datasets.pageInfo.hasNextPage ? (datasets.pageInfo.endCursor ?? undefined) : undefined,
    };
  };
  const list = useRows([datasetList.name, sort, searchText, labelIds], load, datasetId);
  const { rows, failure, isLoading, refresh } = list;
  usePoll(() => refresh(), REREAD_MS);
  const reread = () => void list.reread();
  const isFiltered = searchText !== '' || labelIds.length > 0;
  const isEmpty = rows.length === 0 && !isLoading && !isFiltered && !failure;
  const columns = datasetColumns(times, reread);
  const open = (id: string) => navigate(datasetPath({ id }));
  return (
    <>
      <PageHeader crumbs={[{ label: 'Datasets' }]}>
        {may(createDataset) && (
          <ActionMenu
            button={
              <button type="button" className="button primary">
                <Icon name="plus" size={14} /> New dataset
              </button>
            }
            actions={[
              { icon: 'upload', label: 'From a file (CSV, JSONL, Parquet)', onSelect: () => setCreates('file') },
              { icon: 'edit', label: 'From scratch', onSelect: () => setCreates('empty') },
              may(createSample) && {
                icon: 'experiment',
                label: 'Sample with two experiments',
                onSelect: () => void loadSample(),
              },
            ]}
          />
        )}
      </PageHeader>
      {isEmpty ? (
        <NoDatasets onFile={() => setCreates('file')} onScratch={() => setCreates('empty')} />
      ) : (
        <>
          <div className="table-bar">
            <input
              className="input datasets-search"
              type="search"
              placeholder="Search datasets"
              aria-label="Search datasets by name"
              value={searchText}
              onChange={(event) => seek(event.target.value)}
              onBlur={() => {
                typed.current = undefined;
              }}
            />
            <LabelFilter
              kind={DATASET_LABELS}
              value={labelIds}
              onChange={(ids) => setSearch({ label: ids.join() || null })}
            />
            <span className="grow" />
            <ColumnsMenu columns={columns} choice={choice} onChoice={setChoice} />
          </div>
          {failure && rows.length === 0 ? (
            <Failure failure={failure} onRetry={() => refresh()} />
          ) : (
            <DataTable
              label="Datasets"
              columns={columns}
              choice={choice}
              onChoice={setChoice}
              rows={rows}
              rowId={datasetId}
              sort={sort}
              onSort={({ col, dir }) => setSearch({ sort: `${col}:${dir}` })}
              onOpen={(row, event) => {
                if (event.metaKey || event.ctrlKey) window.open(appUrl(datasetPath(row)), '_blank');
                else open(row.id);
              }}
              onEnd={isLoading || failure ? undefined : list.loadMore}
              isBusy={isLoading && (rows.length === 0 || list.isStale)}
              foot={failure && <FailureLine failure={failure} onRetry={list.retry} />}
              empty={
                <div className="empty">
                  <h2>No datasets match</h2>
                  <button type="button" className="button" onClick={() => setSearch({ search: null, label: null })}>
                    Remove search and labels
                  </button>
                </div>
              }
            />
          )}
        </>
      )}
      {creates === 'empty' && <DatasetForm onClose={() => setCreates(undefined)} onSaved={open} />}
      {creates === 'file' && <FileImportDialog onClose={() => setCreates(undefined)} onDone={reread} />}
    </>
  );
}

const datasetId = ({ id }: DatasetRow): string => id;

function readSort(text: string | null): SortState {
  const [col, dir] = (text ?? '').split(':');
  const known = SORTS.find((each) => each === col);
  return known ? { col: known, dir: dir === 'asc' ? 'asc' : 'desc' } : { col: 'createdAt', dir: 'desc' };
}
