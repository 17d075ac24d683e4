import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Failure } from '../../components/Failure.tsx';
import { Icon } from '../../components/Icon.tsx';
import { tell } from '../../components/toasts.tsx';
import { useChange } from '../../data/use-change.ts';
import type { QueryResult } from '../../data/use-query.ts';

interface SettingsListProps {
  readonly title: string;
  readonly about: string;
  /** On the button that makes a new one. */
  readonly newLabel: string;
  readonly onNew: () => void;
  readonly query: Pick<QueryResult<unknown>, 'failure' | 'refetch' | 'data'>;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** A list of what an installation has, and how to add to it. */
export function SettingsList({ title, about, newLabel, onNew, query, tools, children }: SettingsListProps) {
  return (
    <section className="settings-list">
      <header>
        <div className="grow">
          <h2>{title}</h2>
          <p className="muted">{about}</p>
        </div>
        {tools}
        <button type="button" className="button primary" onClick={onNew}>
          <Icon name="plus" size={13} /> {newLabel}
        </button>
      </header>
      {query.failure ? (
        <Failure failure={query.failure} onRetry={query.refetch} />
      ) : query.data === undefined ? (
        <div className="card settings-rows" aria-busy="true">
          {[44, 60, 38].map((width) => (
            <div key={width} className="skeleton" style={{ width: `${width}%`, height: 14, margin: 12 }} />
          ))}
        </div>
      ) : (
        children
      )}
    </section>
  );
}

interface RowActionsProps {
  readonly name: string;
  readonly onEdit: () => void;
  /** Nothing where it cannot go. */
  readonly onDelete?: (() => Promise<unknown>) | undefined;
  readonly consequence: string;
  readonly onDeleted: () => void;
}

export function RowActions({ name, onEdit, onDelete, consequence, onDeleted }: RowActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, problem, run, say } = useChange();
  return (
    <span className="row settings-actions">
      <button type="button" className="button bare small icon-only" aria-label={`Edit ${name}`} onClick={onEdit}>
        <Icon name="edit" size={13} />
      </button>
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
            tell(`${name} deleted.`);
            onDeleted();
          })
        }
      />
    </span>
  );
}
