import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { useLongList } from '../long-list.tsx';
import { type Assignment, assign, columnsOf, ROLES, type Role } from './assignment.ts';
import type { PreviewColumn } from './file-preview.ts';

interface ColumnRolesProps {
  readonly columns: readonly PreviewColumn[];
  readonly assignment: Assignment;
  readonly onChange: (assignment: Assignment) => void;
}

const LABELS: Readonly<Record<Role, { readonly label: string; readonly key: string; readonly hint: string }>> = {
  input: { label: 'Input', key: 'i', hint: 'What the application receives' },
  output: { label: 'Output', key: 'o', hint: 'The expected answer' },
  metadata: { label: 'Metadata', key: 'm', hint: 'For filters and groups' },
  split: { label: 'Split', key: 's', hint: 'Name of the split of the example' },
  id: { label: 'Example ID', key: 'e', hint: 'Identifies the example in later uploads' },
  none: { label: 'Not used', key: 'x', hint: 'Not stored' },
};
const DRAG_TYPE = 'application/x-column';

/** Assigns the columns of a file by dragging, or by the keys of the roles and the arrows. */
export function ColumnRoles({ columns, assignment, onChange }: ColumnRolesProps) {
  const [over, setOver] = useState<Role>();
  const move = (name: string, role: Role) => onChange(assign(assignment, name, role));
  const drop = (event: DragEvent, role: Role) => {
    event.preventDefault();
    setOver(undefined);
    const name = event.dataTransfer.getData(DRAG_TYPE);
    if (columns.some((column) => column.name === name)) move(name, role);
  };
  const press = (event: KeyboardEvent, name: string, role: Role) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = ROLES.indexOf(role);
    const next =
      event.key === 'ArrowRight'
        ? ROLES[Math.min(at + 1, ROLES.length - 1)]
        : event.key === 'ArrowLeft'
          ? ROLES[Math.max(at - 1, 0)]
          : ROLES.find((each) => LABELS[each].key === event.key.toLowerCase());
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(name, next);
  };
  const toggle = (name: string) => {
    const flattened = new Set(assignment.flattened);
    if (!flattened.delete(name)) flattened.add(name);
    onChange({ ...assignment, flattened });
  };
  return (
    <section aria-label="Columns" className="column-roles">
      {ROLES.map((role) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys move columns, too
        <div
          key={role}
          className="column-role"
          data-over={over === role}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(role);
          }}
          onDragLeave={() => setOver(undefined)}
          onDrop={(event) => drop(event, role)}
        >
          <header title={LABELS[role].hint}>
            <strong>{LABELS[role].label}</strong> <kbd>{LABELS[role].key.toUpperCase()}</kbd>
          </header>
          <Columns
            columns={columnsOf(columns, assignment, role)}
            role={role}
            flattened={assignment.flattened}
            onPress={press}
            onFlatten={toggle}
          />
        </div>
      ))}
    </section>
  );
}

interface ColumnsProps {
  readonly columns: readonly PreviewColumn[];
  readonly role: Role;
  readonly flattened: ReadonlySet<string>;
  readonly onPress: (event: KeyboardEvent, name: string, role: Role) => void;
  readonly onFlatten: (name: string) => void;
}

function Columns({ columns, role, flattened, onPress, onFlatten }: ColumnsProps) {
  const { shown, search, rest } = useLongList(columns, 'columns', ({ name }) => name);
  return (
    <>
      {columns.length > 20 && search}
      <ul aria-label={`Columns in ${LABELS[role].label}`}>
        {shown.map(({ name, type, isObject }) => (
          <li key={name}>
            <button
              type="button"
              // The same button stays in focus in its new list.
              ref={(element) => focusMoved(element, name)}
              className="column-chip"
              draggable
              title={name}
              onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, name)}
              onKeyDown={(event) => {
                moved = name;
                onPress(event, name, role);
              }}
              onBlur={() => {
                if (moved === name) moved = undefined;
              }}
            >
              <span className="clip" dir="auto">
                {name}
              </span>
              <span className="muted">
                {type}
                <span className="visually-hidden"> in {LABELS[role].label}</span>
              </span>
            </button>
            {isObject && (role === 'input' || role === 'output' || role === 'metadata') && (
              <label className="column-flatten muted">
                <input type="checkbox" checked={flattened.has(name)} onChange={() => onFlatten(name)} /> Spread entries
              </label>
            )}
          </li>
        ))}
      </ul>
      {rest}
    </>
  );
}

/** Column that a key has just moved. Its button is in another list, so it is another element. */
let moved: string | undefined;

function focusMoved(element: HTMLElement | null, name: string): void {
  if (element && moved === name) element.focus();
}
