import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { formatAge } from '../../format/ages.ts';
import { useTimeFormat } from '../../format/times.ts';
import { revokeApp } from './generated/apps.ts';
import './apps.css';

export interface App {
  readonly id: string;
  readonly clientName: string;
  readonly clientId: string;
  readonly isFirstParty: boolean;
  readonly scopes: readonly string[];
  readonly resource: 'SERVER' | 'MCP';
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

const RESOURCES: Readonly<Record<App['resource'], string>> = { SERVER: 'Whole server', MCP: 'MCP only' };

interface AppRowProps {
  readonly app: App;
  /** User of the app, in lists with apps of several users. */
  readonly owner?: ReactNode;
  readonly onRevoked: () => void;
}

/** An app with access to an account. */
export function AppRow({ app, owner, onRevoked }: AppRowProps) {
  const times = useTimeFormat();
  const { clientName, clientId, isFirstParty, scopes, resource, createdAt, expiresAt, lastUsedAt } = app;
  return (
    <li className="app-row">
      <span className="settings-name">
        <strong className="clip" title={clientName}>
          {clientName}
        </strong>
        <span className="muted clip" title={clientId}>
          {owner ?? (isFirstParty ? 'Part of Spandrel' : clientId)}
        </span>
      </span>
      <span className="settings-name key-facts">
        <span className="clip">{RESOURCES[resource]}</span>
        {scopes.length > 0 && (
          <span className="muted clip" title={`The app asked for: ${scopes.join(', ')}`}>
            {scopes.join(', ')}
          </span>
        )}
      </span>
      <span className="settings-name key-facts">
        <span title={`Allowed ${times.full(createdAt)}`}>
          {lastUsedAt === null ? 'Never used' : `Used ${formatAge(lastUsedAt)}`}
        </span>
        <span className="muted" title={times.full(expiresAt)}>
          {expiresAt === null ? 'Never expires' : `Expires ${formatAge(expiresAt)}`}
        </span>
      </span>
      <RevokeButton app={app} onRevoked={onRevoked} />
    </li>
  );
}

/** Ends the access of an app after a confirmation. */
function RevokeButton({ app: { id, clientName }, onRevoked }: Pick<AppRowProps, 'app' | 'onRevoked'>) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, problem, run, say } = useChange();
  const ask = () => {
    say(undefined);
    setAsking(true);
  };
  const done = () => {
    setAsking(false);
    toast(`${clientName} has no access any more.`);
    onRevoked();
  };
  return (
    <span className="row settings-actions">
      <button type="button" className="button small" aria-label={`Revoke access of ${clientName}`} onClick={ask}>
        Revoke
      </button>
      <ConfirmDialog
        title={`Revoke access of ${clientName}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        consequence="The app is signed out within a second, and must ask again for access."
        action="Revoke access"
        isBusy={isBusy}
        problem={problem}
        onConfirm={() => void run(() => send(revokeApp, { id }), done)}
      />
    </span>
  );
}
