import { useMemo, useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { DatasetSources } from '../../../components/cases/DatasetSources.tsx';
import { FileImportDialog } from '../../../components/dataset-files/FileImportDialog.tsx';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { LabelFilter } from '../../../components/labels/LabelFilter.tsx';
import { SPLITS } from '../../../components/labels/label-kinds.ts';
import { ColumnsMenu } from '../../../components/table/ColumnsMenu.tsx';
import { isColumnChoice, NO_CHOICE } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/DataTable.tsx';
import { toast, toastFailure } from '../../../components/toasts.tsx';
import { refetchShown } from '../../../data/query-client.ts';
import { send, toFailure } from '../../../data/request.ts';
import { useRowWindow } from '../../../data/use-row-window.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useStoredState } from '../../../preferences/stored-state.ts';
import { navigate, setSearch, useLocation, withSearch } from '../../../router/location.ts';
import { type DatasetTabProps, tabPath } from '../dataset-tabs.ts';
import { AddExample } from './AddExample.tsx';
import { Conflicts } from './Conflicts.tsx';
import { EditValue } from './EditValue.tsx';
import { ExampleDrawer } from './ExampleDrawer.tsx';
import { ExampleSearch } from './ExampleSearch.tsx';
import { exampleColumns, examplePath } from './example-columns.tsx';
import { type ExampleRow, loadRows, readList, toScope } from './example-list.ts';
import {
  exampleContent,
  exampleIds,
  exampleKeys,
  exampleOffset,
  exampleRows,
  saveExamples,
} from './generated/examples.ts';
import { KeyColumns } from './KeyColumns.tsx';
import { usePendingChanges } from './pending-store.ts';
import { type Conflict, PendingBar } from './SaveChanges.tsx';
import { SelectedExamples } from './SelectedExamples.tsx';
import { VersionChoice } from './VersionChoice.tsx';
import './examples.css';

const rowId = ({ id }: ExampleRow): string => id;
const NO_ROWS: readonly ExampleRow[] = [];
/** Maximum number of examples of one selection, as on the server. */
const SELECTION_COUNT_MAX = 20_000;

/** Examples of a dataset: a table of any number of rows, with changes that are saved together. */
export function ExamplesTab({ dataset, itemId, onChange }: DatasetTabProps) {
  const { search } = useLocation();
  const list = useMemo(() => readList(search), [search]);
  const { versionId, filter, splitIds, sort, paths } = list;
  const scope = JSON.stringify(toScope(list));
  const rows = useRowWindow(
    [exampleRows.name, dataset.id, scope, paths],
    (offset, limit, signal) => loadRows(dataset.id, list, offset, limit, signal),
    rowId,
  );
  const [choice, setChoice] = useStoredState(`columns.${dataset.id}.examples`, NO_CHOICE, isColumnChoice);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [edited, setEdited] = useState<{
    readonly row: Pick<ExampleRow, 'id' | 'externalId'>;
    readonly path: readonly string[];
  }>();
  const [isAdding, setAdding] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const pending = usePendingChanges(dataset.id);
  const { may } = useAccess();
  const canEdit = may(saveExamples) && versionId === null;
  const edit = (row: Pick<ExampleRow, 'id' | 'externalId'>, path: readonly string[]) => setEdited({ row, path });
  const { collected } = pending;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `edit` only sets a state
  const columns = useMemo(
    () => exampleColumns({ datasetId: dataset.id, paths, collected, onEdit: canEdit ? edit : undefined }),
    [dataset.id, paths, collected, canEdit],
  );
  const refresh = () => {
    void refetchShown([exampleRows, exampleContent, exampleKeys, exampleOffset]);
    onChange();
  };
  const isAll =
    rows.count !== undefined && rows.count > 0 && selected.size >= Math.min(rows.count, SELECTION_COUNT_MAX);
  const selectAll = async () => {
    if (isAll) return setSelected(new Set());
    try {
      const { node } = await send(exampleIds, { id: dataset.id, limit: SELECTION_COUNT_MAX, ...toScope(list) });
      if (node.__typename !== 'Dataset') return;
      setSelected(new Set(node.exampleIds));
      if ((rows.count ?? 0) > SELECTION_COUNT_MAX) {
        toast(
          `The first ${formatCount(SELECTION_COUNT_MAX)} of ${formatCount(rows.count ?? 0)} examples are selected.`,
        );
      }
    } catch (error) {
      toastFailure(toFailure(error).message);
    }
  };
  const isFiltered = filter !== null || splitIds.length > 0;
  const close = () => {
    navigate(tabPath(dataset.id, 'examples') + withSearch({}).replace(/^[^?]*/, ''));
    document.querySelector<HTMLElement>('.table')?.focus();
  };
  return (
    <div className="examples">
      <div className="table-bar">
        <ExampleSearch value={filter ?? ''} />
        <LabelFilter kind={SPLITS} value={splitIds} onChange={(ids) => setSearch({ splits: ids.join(',') || null })} />
        <VersionChoice datasetId={dataset.id} versionId={versionId} />
        <span className="grow" />
        {isFiltered && rows.count !== undefined && <span className="muted">{formatCount(rows.count)} found</span>}
        <KeyColumns datasetId={dataset.id} versionId={versionId} paths={paths} />
        <ColumnsMenu columns={columns} choice={choice} onChoice={setChoice} />
        {canEdit && (
          <button type="button" className="button" onClick={() => setAdding(true)}>
            <Icon name="plus" size={13} /> Add example
          </button>
        )}
        {canEdit && (
          <button type="button" className="button" onClick={() => setUploading(true)}>
            <Icon name="upload" size={13} /> Update from a file
          </button>
        )}
      </div>
      {versionId === null && <DatasetSources datasetId={dataset.id} />}
      {versionId !== null && (
        <p className="example-old" role="status">
          You see an earlier version, which cannot be changed.
          <button type="button" className="button small" onClick={() => setSearch({ version: null })}>
            Show the latest version
          </button>
        </p>
      )}
      {rows.failure && rows.count === undefined ? (
        <Failure failure={rows.failure} onRetry={rows.retry} />
      ) : (
        <DataTable
          key={scope}
          label="Examples"
          columns={columns}
          choice={choice}
          onChoice={setChoice}
          rows={NO_ROWS}
          sparse={rows.sparse}
          rowId={rowId}
          isBehind={itemId !== undefined}
          openId={itemId}
          selection={
            canEdit
              ? { ids: selected, onChange: setSelected, all: { isAll, onToggle: () => void selectAll() } }
              : undefined
          }
          sort={sort}
          onSort={({ col, dir }) => setSearch({ sort: `${col}:${dir}` })}
          onOpen={(row) => navigate(examplePath(dataset.id, row.id))}
          onRowKey={
            canEdit
              ? (row, key) => {
                  if (key.toLowerCase() !== 'e') return false;
                  edit(row, paths[0] ?? ['output']);
                  return true;
                }
              : undefined
          }
          isBusy={rows.isLoading && (rows.count === undefined || rows.isStale)}
          empty={<Empty isFiltered={isFiltered} canEdit={canEdit} onAdd={() => setAdding(true)} />}
        />
      )}
      {rows.failure && rows.count !== undefined && <Failure failure={rows.failure} onRetry={rows.retry} />}
      {canEdit && selected.size > 0 && (
        <SelectedExamples
          datasetId={dataset.id}
          ids={selected}
          rowOf={(id) => rows.sparse.rowAt(rows.sparse.indexOf(id))}
          pending={pending}
          onChanged={refresh}
          onClear={() => setSelected(new Set())}
        />
      )}
      {canEdit && (
        <PendingBar
          datasetId={dataset.id}
          pending={pending}
          onConflicts={setConflicts}
          onSaved={() => {
            setSelected(new Set());
            refresh();
          }}
        />
      )}
      {itemId !== undefined && (
        <ExampleDrawer
          datasetId={dataset.id}
          exampleId={itemId}
          list={list}
          pending={pending}
          onEdit={canEdit ? edit : undefined}
          onClose={close}
        />
      )}
      {edited && <EditValue {...edited} pending={pending} onClose={() => setEdited(undefined)} />}
      {isUploading && <FileImportDialog dataset={dataset} onClose={() => setUploading(false)} onDone={refresh} />}
      {isAdding && <AddExample datasetId={dataset.id} onAdded={refresh} onClose={() => setAdding(false)} />}
      {conflicts.length > 0 && (
        <Conflicts
          conflicts={conflicts}
          pending={pending}
          onClose={() => {
            setConflicts([]);
            refresh();
          }}
        />
      )}
    </div>
  );
}

interface EmptyProps {
  readonly isFiltered: boolean;
  readonly canEdit: boolean;
  readonly onAdd: () => void;
}

function Empty({ isFiltered, canEdit, onAdd }: EmptyProps) {
  if (isFiltered) {
    return (
      <div className="empty">
        <p>No example matches the search and the splits.</p>
        <button type="button" className="button" onClick={() => setSearch({ filter: null, splits: null })}>
          Show all examples
        </button>
      </div>
    );
  }
  return (
    <div className="empty">
      <p>The dataset has no examples yet. Add one by hand, upload a file, or collect spans from a trace.</p>
      {canEdit && (
        <button type="button" className="button primary" onClick={onAdd}>
          Add an example
        </button>
      )}
    </div>
  );
}
