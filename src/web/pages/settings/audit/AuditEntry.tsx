import { useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { useTimeFormat } from '../../../format/times.ts';
import { nameOfAction, nameOfCredential, nameOfKind } from './audit-names.ts';
import { diffFields } from './diff-fields.ts';
import type { SettingsAuditData } from './generated/audit.ts';

export type Entry = SettingsAuditData['auditLog']['edges'][number]['node'];

/** An entry of the audit log, with its fields before and after when it is open. */
export function AuditEntry({ entry }: { readonly entry: Entry }) {
  const times = useTimeFormat();
  const [isOpen, setOpen] = useState(false);
  const { happenedAt, username, credential, remoteAddress, action, outcome, targetKind, targetName, targetId } = entry;
  const target = targetName ?? targetId;
  return (
    <li className="audit-entry">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon name="right" size={12} />
          <time className="muted" dateTime={happenedAt} title={times.full(happenedAt)}>
            {times.short(happenedAt)}
          </time>
          <span className="audit-action">
            <strong>{nameOfAction(action)}</strong>
            {outcome === 'DENIED' && <span className="audit-denied">denied</span>}
          </span>
          <span className="clip" title={username ?? undefined}>
            {username ?? <span className="muted">No user</span>}
          </span>
          <span className="clip" title={target ?? undefined}>
            <span className="muted">{nameOfKind(targetKind)}</span> {target}
          </span>
        </summary>
        {isOpen && (
          <div className="audit-details">
            <dl>
              <Fact label="Time">{times.full(happenedAt)}</Fact>
              <Fact label="Person">{username ?? 'No user'}</Fact>
              <Fact label="Credential">{nameOfCredential(credential)}</Fact>
              <Fact label="Address">{remoteAddress ?? 'The server itself'}</Fact>
              <Fact label="Target">
                {nameOfKind(targetKind)} {targetName}
                {targetId !== null && targetId !== targetName && <span className="muted"> {targetId}</span>}
              </Fact>
            </dl>
            <Fields entry={entry} />
          </div>
        )}
      </details>
    </li>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt className="muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Fields({ entry: { before, after } }: { readonly entry: Entry }) {
  const fields = diffFields(before, after);
  if (fields.length === 0) return <p className="muted">The entry has no fields.</p>;
  const hasBefore = before !== null;
  return (
    <table className="audit-fields">
      <thead>
        <tr>
          <th scope="col">Field</th>
          {hasBefore && <th scope="col">Before</th>}
          <th scope="col">{hasBefore ? 'After' : 'Value'}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, before: old, after: now, isChanged }) => (
          <tr key={name} className={isChanged ? undefined : 'muted'}>
            <th scope="row">{name}</th>
            {hasBefore && <td>{isChanged && old !== undefined ? <del>{old}</del> : (old ?? '--')}</td>}
            <td>{hasBefore && isChanged && now !== undefined ? <ins>{now}</ins> : (now ?? '--')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
