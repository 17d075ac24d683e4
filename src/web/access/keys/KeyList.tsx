import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { toast } from '../../components/toasts.tsx';
import { useChange } from '../../data/use-change.ts';
import { formatAge } from '../../format/ages.ts';
import { useTimeFormat } from '../../format/times.ts';
import './keys.css';

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastCharacters: string;
  readonly lastUsedAt: string | null;
  readonly scope: KeyScope;
  /** Names of the only projects that the key reaches. */
  readonly projects: readonly string[] | null;
}

export type KeyScope = 'ALL' | 'READ' | 'SEND' | 'SCIM';

export const SCOPES: Readonly<Record<KeyScope, string>> = {
  ALL: 'Full access',
  READ: 'Read only',
  SEND: 'Send spans only',
  SCIM: 'Provision users (SCIM) only',
};

export const USER_KEY_SCOPES = ['ALL', 'READ', 'SEND'] as const satisfies readonly KeyScope[];
export const SYSTEM_KEY_SCOPES = [...USER_KEY_SCOPES, 'SCIM'] as const satisfies readonly KeyScope[];

interface KeyRowProps {
  readonly apiKey: Key;
  /** Owner, in lists with keys of several users. */
  readonly owner?: ReactNode;
  readonly onDelete: () => Promise<unknown>;
  readonly onDeleted: () => void;
}

/** A key in a list, without its text. */
export function KeyRow({ apiKey, owner, onDelete, onDeleted }: KeyRowProps) {
  const times = useTimeFormat();
  const { name, description, createdAt, expiresAt, lastCharacters, lastUsedAt, scope, projects } = apiKey;
  const isExpired = expiresAt !== null && new Date(expiresAt).getTime() <= Date.now();
  return (
    <li className="key-row">
      <span className="settings-name">
        <strong className="clip" title={name}>
          {name}
        </strong>
        <span className="muted clip">
          {owner ?? description} <code title="Last characters of the key">…{lastCharacters}</code>
        </span>
      </span>
      <span className="settings-name key-facts">
        <span className="clip">{SCOPES[scope]}</span>
        {projects && (
          <span className="muted clip" title={projects.join(', ')}>
            Only {projects.join(', ')}
          </span>
        )}
      </span>
      <span className="settings-name key-facts">
        <span className={isExpired ? 'status-error' : undefined} title={times.full(expiresAt)}>
          {expiresAt === null ? 'Never expires' : `${isExpired ? 'Expired' : 'Expires'} ${formatAge(expiresAt)}`}
        </span>
        <span className="muted" title={`Created ${times.full(createdAt)}`}>
          {lastUsedAt === null ? 'Never used' : `Used ${formatAge(lastUsedAt)}`}
        </span>
      </span>
      <DeleteButton
        name={name}
        consequence="Applications that use the key can no longer reach the server. You cannot undo it."
        action="Delete key"
        onDelete={onDelete}
        onDeleted={onDeleted}
      />
    </li>
  );
}

interface DeleteButtonProps {
  readonly name: string;
  readonly consequence: string;
  readonly action: string;
  readonly onDelete: () => Promise<unknown>;
  readonly onDeleted: () => void;
}

/** Deletes a row after a confirmation. */
export function DeleteButton({ name, consequence, action, onDelete, onDeleted }: DeleteButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, problem, run, say } = useChange();
  const ask = () => {
    say(undefined);
    setAsking(true);
  };
  const done = () => {
    setAsking(false);
    toast(`${name} deleted.`);
    onDeleted();
  };
  return (
    <span className="row settings-actions">
      <button type="button" className="button bare small icon-only" aria-label={`Delete ${name}`} onClick={ask}>
        <Icon name="trash" size={13} />
      </button>
      <ConfirmDialog
        title={`Delete ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        consequence={consequence}
        action={action}
        isBusy={isBusy}
        problem={problem}
        onConfirm={() => void run(onDelete, done)}
      />
    </span>
  );
}
