import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Link } from '../../../router/Link.tsx';
import type { ModelProvider } from '../variant/variant.ts';
import { providerLabel } from '../version-content.ts';
import { KEY_NAMES, setCredential, useCredentials } from './credentials.ts';

/** Keys of a provider in this browser, and where an administrator stores one for all users. */
export function KeyFields({ provider, hasServerKey, hasFocusAtFirst }: KeyFieldsProps) {
  const credentials = useCredentials();
  const { may } = useAccess();
  const names = KEY_NAMES[provider];
  if (names.length === 0) return <p className="muted">{providerLabel(provider)} needs no key.</p>;
  return (
    <fieldset className="key-fields">
      <legend>Key</legend>
      {hasServerKey === true && <p className="key-ok">The server has a key for {providerLabel(provider)}.</p>}
      {hasServerKey === false && credentials.get(names[0]!) === undefined && (
        <p className="error-text">
          There is no key for {providerLabel(provider)}. Enter one for this browser
          {may('admin') ? (
            <>
              , or{' '}
              <Link to="/settings/providers">
                store <code>{names[0]}</code> on the server
              </Link>
              .
            </>
          ) : (
            '. An administrator can store one for all users.'
          )}
        </p>
      )}
      {names.map((name, index) => (
        <KeyField
          key={name}
          name={name}
          value={credentials.get(name)}
          hasFocusAtFirst={hasFocusAtFirst && index === 0}
        />
      ))}
      <p className="muted">A key stays in this browser and is sent only with your runs. It takes precedence.</p>
    </fieldset>
  );
}

interface KeyFieldsProps {
  readonly provider: ModelProvider;
  /** Undefined while it is not known. */
  readonly hasServerKey: boolean | undefined;
  /** Whether the focus starts in the first field. */
  readonly hasFocusAtFirst: boolean;
}

interface KeyFieldProps extends Pick<KeyFieldsProps, 'hasFocusAtFirst'> {
  readonly name: string;
  readonly value: string | undefined;
}

function KeyField({ name, value, hasFocusAtFirst }: KeyFieldProps) {
  const [typed, setTyped] = useState('');
  const keep = () => {
    setCredential(name, typed.trim());
    setTyped('');
  };
  return (
    <div className="key-field">
      <code>{name}</code>
      {value === undefined ? (
        <>
          <input
            className="input mono grow"
            type="password"
            aria-label={`Key ${name}`}
            // Browsers would offer the password of the account.
            autoComplete="new-password"
            data-autofocus={hasFocusAtFirst}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || typed.trim() === '') return;
              event.preventDefault();
              keep();
            }}
          />
          <button type="button" className="button small" disabled={typed.trim() === ''} onClick={keep}>
            Keep in this browser
          </button>
        </>
      ) : (
        <>
          <span className="grow muted">kept in this browser</span>
          <button type="button" className="button small" onClick={() => setCredential(name, '')}>
            Remove
          </button>
        </>
      )}
    </div>
  );
}
