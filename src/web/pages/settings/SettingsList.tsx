import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Failure } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useLongList } from '../../components/long-list.tsx';
import { toast } from '../../components/toasts.tsx';
import type { AllPages } from '../../data/use-all-pages.ts';
import { useChange } from '../../data/use-change.ts';

interface SettingsListProps<Item> {
  readonly title: string;
  readonly about: string;
  /** Text of the button that creates an entry. */
  readonly newLabel?: string;
  /** Undefined if this user cannot create entries. */
  readonly onNew?: (() => void) | undefined;
  readonly list: AllPages<Item>;
  /** Plural noun for the entries. */
  readonly noun: string;
  /** Text that a search matches. */
  readonly textOf: (item: Item) => string;
  /** Renders a row of the list. */
  readonly row: (item: Item) => ReactNode;
  /** Shown when the list is empty. */
  readonly empty?: string;
  readonly children?: ReactNode;
}

/** List of entries with a search field and a button that creates one. */
export function SettingsList<Item>({ title, about, newLabel, onNew, list, ...props }: SettingsListProps<Item>) {
  const { noun, textOf, row, empty, children } = props;
  const { shown, search, rest } = useLongList(list.items ?? [], noun, textOf);
  return (
    <section className="settings-list">
      <header>
        <div className="grow">
          <h2>{title}</h2>
          <p className="muted">{about}</p>
        </div>
        {search}
        {onNew && (
          <button type="button" className="button primary" onClick={onNew}>
            <Icon name="plus" size={13} /> {newLabel}
          </button>
        )}
      </header>
      {list.failure ? (
        <Failure failure={list.failure} onRetry={list.refetch} />
      ) : list.items === undefined ? (
        <div className="card settings-rows" aria-busy="true">
          {[44, 60, 38].map((width) => (
            <div key={width} className="skeleton" style={{ width: `${width}%`, height: 14, margin: 12 }} />
          ))}
        </div>
      ) : (
        <ul className="card settings-rows" aria-label={title}>
          {shown.map(row)}
          {list.items.length === 0 && <li className="muted">{empty}</li>}
          {rest && <li>{rest}</li>}
        </ul>
      )}
      {children}
    </section>
  );
}

interface RowActionsProps {
  readonly name: string;
  /** Undefined if this user cannot edit the entry. */
  readonly onEdit?: (() => void) | undefined;
  /** Undefined if the entry cannot be deleted. */
  readonly onDelete?: (() => Promise<unknown>) | undefined;
  readonly consequence: string;
  readonly onDeleted: () => void;
}

export function RowActions({ name, onEdit, onDelete, consequence, onDeleted }: RowActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, problem, run, say } = useChange();
  return (
    <span className="row settings-actions">
      {onEdit && (
        <button type="button" className="button bare small icon-only" aria-label={`Edit ${name}`} onClick={onEdit}>
          <Icon name="edit" size={13} />
        </button>
      )}
      {onDelete && (
        <button
          type="button"
          className="button bare small icon-only"
          aria-label={`Delete ${name}`}
          onClick={() => {
            say(undefined);
            setAsking(true);
          }}
        >
          <Icon name="trash" size={13} />
        </button>
      )}
      <ConfirmDialog
        title={`Delete ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        consequence={consequence}
        action="Delete"
        isBusy={isBusy}
        problem={problem}
        onConfirm={() =>
          void run(onDelete!, () => {
            setAsking(false);
            toast(`${name} deleted.`);
            onDeleted();
          })
        }
      />
    </span>
  );
}
