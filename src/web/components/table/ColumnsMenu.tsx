import * as ariakit from '@ariakit/react';
import { useState } from 'react';
import { Icon } from '../Icon.tsx';
import { type Column, type ColumnChoice, isShown, moveColumn, NO_CHOICE, orderColumns } from './column.ts';

interface ColumnsMenuProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly choice: ColumnChoice;
  readonly onChoice: (choice: ColumnChoice) => void;
}

/** Shows, hides and reorders columns by dragging or with buttons. */
export function ColumnsMenu<Row>({ columns, choice, onChoice }: ColumnsMenuProps<Row>) {
  const [dragged, setDragged] = useState<string>();
  const ordered = orderColumns(columns, choice);
  const ids = ordered.map(({ id }) => id);
  const toggle = (id: string) => {
    const { hidden } = choice;
    onChoice({ ...choice, hidden: hidden.includes(id) ? hidden.filter((each) => each !== id) : [...hidden, id] });
  };
  const move = (id: string, to: number) => onChoice(moveColumn(choice, ids, id, to));
  return (
    <ariakit.PopoverProvider placement="bottom-end">
      <ariakit.PopoverDisclosure className="button" title="Columns">
        <Icon name="columns" /> <span className="bar-label">Columns</span>
      </ariakit.PopoverDisclosure>
      <ariakit.Popover className="popover columns-menu" gutter={4} unmountOnHide portal aria-label="Columns">
        <ul>
          {ordered.map((column, index) => (
            <li
              key={column.id}
              className="menu-item"
              draggable
              onDragStart={() => setDragged(column.id)}
              onDragOver={(event) => {
                event.preventDefault();
                if (dragged !== undefined && dragged !== column.id) move(dragged, index);
              }}
              onDragEnd={() => setDragged(undefined)}
            >
              <label>
                <input type="checkbox" checked={isShown(column, choice)} onChange={() => toggle(column.id)} />
                {column.label}
              </label>
              <button
                type="button"
                className="button bare small icon-only"
                aria-label={`Move ${column.label} up`}
                disabled={index === 0}
                onClick={() => move(column.id, index - 1)}
              >
                <Icon name="up" size={12} />
              </button>
              <button
                type="button"
                className="button bare small icon-only"
                aria-label={`Move ${column.label} down`}
                disabled={index === ordered.length - 1}
                onClick={() => move(column.id, index + 1)}
              >
                <Icon name="down" size={12} />
              </button>
            </li>
          ))}
        </ul>
        <hr className="menu-line" />
        <label className="menu-item">
          <input
            type="checkbox"
            checked={choice.wraps ?? false}
            onChange={() => onChoice({ ...choice, wraps: !choice.wraps })}
          />
          Wrap text to three lines
        </label>
        <button type="button" className="menu-item button bare" onClick={() => onChoice(NO_CHOICE)}>
          Reset columns
        </button>
      </ariakit.Popover>
    </ariakit.PopoverProvider>
  );
}
