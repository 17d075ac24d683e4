import { LabelChips } from '../../../components/labels/LabelChips.tsx';
import type { Column } from '../../../components/table/column.ts';
import { formatAge } from '../../../format/ages.ts';
import { Link } from '../../../router/Link.tsx';
import { withSearch } from '../../../router/location.ts';
import { tabPath } from '../dataset-tabs.ts';
import type { ExampleRow } from './example-list.ts';
import { writePaths } from './example-paths.ts';
import { type Collected, changedFields, FIELDS, type Field, isChanged, valueAt } from './pending-changes.ts';

interface ColumnOptions {
  readonly datasetId: string;
  readonly paths: readonly (readonly string[])[];
  readonly collected: Collected;
  /** Absent if the user may not edit. */
  readonly onEdit: ((row: ExampleRow, path: readonly string[]) => void) | undefined;
}

const LABELS: Readonly<Record<Field, string>> = { input: 'Input', output: 'Output', metadata: 'Metadata' };

/** Address of an example in the current list. */
export const examplePath = (datasetId: string, exampleId: string): string =>
  tabPath(datasetId, 'examples', exampleId) + withSearch({}).replace(/^[^?]*/, '');

export const shownPath = ([field = '', ...keys]: readonly string[]): string => [field, ...keys].join('.');

export function exampleColumns({ datasetId, paths, collected, onEdit }: ColumnOptions): readonly Column<ExampleRow>[] {
  const content = (field: Field): Column<ExampleRow> => ({
    id: field,
    label: LABELS[field],
    width: field === 'metadata' ? 140 : 200,
    grow: field === 'metadata' ? 1 : 3,
    cell: (row) => (
      <Cell
        row={row}
        path={[field]}
        text={shownChange(collected, row, [field]) ?? row[field]}
        isEdited={shownChange(collected, row, [field]) !== undefined}
        onEdit={onEdit}
      />
    ),
  });
  return [
    {
      id: 'id',
      label: 'Example',
      width: 120,
      sort: 'externalId',
      cell: (row) => <ExampleLink datasetId={datasetId} row={row} collected={collected} />,
    },
    ...paths.map((path, index): Column<ExampleRow> => {
      return {
        id: `value ${JSON.stringify(path)}`,
        label: shownPath(path),
        sort: writePaths([path]),
        width: 200,
        grow: 2,
        cell: (row) => {
          const changed = shownChange(collected, row, path);
          return (
            <Cell
              row={row}
              path={path}
              text={changed ?? row.cells[index] ?? null}
              isEdited={changed !== undefined}
              onEdit={onEdit}
            />
          );
        },
      };
    }),
    ...FIELDS.map(content),
    { id: 'splits', label: 'Splits', width: 110, cell: (row) => <LabelChips labels={row.splits} /> },
    {
      id: 'updated',
      label: 'Changed',
      width: 100,
      sort: 'updatedAt',
      cell: (row) => <span className="muted">{formatAge(row.updatedAt)}</span>,
    },
  ];
}

function ExampleLink(props: { readonly datasetId: string; readonly row: ExampleRow; readonly collected: Collected }) {
  const { datasetId, row, collected } = props;
  const state = collected.deleted.has(row.id) ? 'deleted' : isChanged(collected, row.id) ? 'edited' : undefined;
  return (
    <span className="row example-name" data-state={state}>
      <Link to={examplePath(datasetId, row.id)}>{row.externalId ?? shortId(row.id)}</Link>
      {state && <span className="example-state">{state}</span>}
    </span>
  );
}

/** For example `#12`: the number in a global ID, for an example without an external ID. */
export function shortId(id: string): string {
  try {
    return `#${atob(id).split(':')[1]}`;
  } catch {
    return id;
  }
}

interface CellProps {
  readonly row: ExampleRow;
  readonly path: readonly string[];
  readonly text: string | null;
  readonly isEdited: boolean;
  readonly onEdit: ColumnOptions['onEdit'];
}

function Cell({ row, path, text, isEdited, onEdit }: CellProps) {
  return (
    <span className="example-cell" data-edited={isEdited}>
      {text === null ? <span className="muted">none</span> : <span className="clip">{text}</span>}
      {onEdit && (
        <button
          type="button"
          className="example-edit"
          tabIndex={-1}
          aria-label={`Edit ${shownPath(path)}`}
          title="Edit (E)"
          onClick={() => onEdit(row, path)}
        >
          ✎
        </button>
      )}
    </span>
  );
}

/** Text of a value with unsaved changes. Undefined if it did not change. */
function shownChange(collected: Collected, row: ExampleRow, [field, ...keys]: readonly string[]): string | undefined {
  if (!isChanged(collected, row.id)) return undefined;
  const set = collected.values.findLast(
    ({ exampleIds, path }) => exampleIds.has(row.id) && JSON.stringify(path) === JSON.stringify([field, ...keys]),
  );
  if (set) return plain(set.value);
  const changed = changedFields(collected, row.id, row)[field as Field];
  if (changed === undefined || changed === row[field as Field]) return undefined;
  if (keys.length === 0) return changed;
  const value = valueAt(changed, keys);
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

function plain(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}
