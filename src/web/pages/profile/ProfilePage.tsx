import { useState } from 'react';
import { AppRow } from '../../access/apps/AppRow.tsx';
import { createUserKey, deleteUserKey } from '../../access/keys/generated/keys.ts';
import { KeyRow, USER_KEY_SCOPES } from '../../access/keys/KeyList.tsx';
import { NewKey } from '../../access/keys/NewKey.tsx';
import { ROLES } from '../../access/roles.ts';
import { useAccess, type Viewer } from '../../access/use-access.ts';
import { Failure } from '../../components/Failure.tsx';
import { send } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';
import { SettingsList } from '../settings/SettingsList.tsx';
import { NameForm, PasswordForm } from './AccountForms.tsx';
import { profile } from './generated/profile.ts';
import { LinkedIdentities } from './LinkedIdentities.tsx';
import { Sessions } from './Sessions.tsx';
import '../settings/settings.css';
import './profile.css';

const METHODS = { LOCAL: 'Password of this server', OAUTH2: 'Identity provider', LDAP: 'Directory' } as const;

/** Account of the signed-in user. */
export function ProfilePage() {
  const { viewer, hasSignIn } = useAccess();
  return (
    <>
      <PageHeader crumbs={[{ label: 'Profile' }]} />
      <div className="page-body">
        <div className="page-narrow profile">
          {!hasSignIn && (
            <div className="empty">
              <h2>This server has no sign-in</h2>
              <p>
                Everyone who can reach it uses it without an account. An operator can enable sign-in in the settings.
              </p>
            </div>
          )}
          {viewer && <Account viewer={viewer} />}
        </div>
      </div>
    </>
  );
}

function Account({ viewer }: { readonly viewer: Viewer }) {
  const { data, failure, refetch } = useQuery(profile, NOTHING);
  const [isCreating, setCreating] = useState(false);
  const reread = () => void refetch();
  if (failure) return <Failure failure={failure} onRetry={reread} />;
  return (
    <>
      <div className="settings profile-account">
        <section className="card">
          <h2>Account</h2>
          <div className="setting">
            <span>Email</span>
            <span>{viewer.email ?? 'None'}</span>
          </div>
          <div className="setting">
            <span>Role</span>
            <span>{ROLES.get(viewer.role.name)}</span>
          </div>
          <div className="setting">
            <span>Signs in by</span>
            <span>{METHODS[viewer.authMethod]}</span>
          </div>
          <NameForm username={viewer.username} />
        </section>
        {viewer.authMethod === 'LOCAL' && <PasswordForm email={viewer.email} />}
      </div>
      <LinkedIdentities identities={data?.viewer?.linkedIdentities} onChanged={reread} />
      <SettingsList
        title="Your API keys"
        about="Applications use a key to act as you, with your current role. A key can be restricted to sending or reading."
        newLabel="Create key"
        onNew={() => setCreating(true)}
        list={{ items: data?.viewer?.apiKeys, isComplete: true, failure: undefined, refetch: reread }}
        noun="keys"
        textOf={({ name, description }) => `${name} ${description ?? ''}`}
        empty="No keys yet. Create one for an application that sends or reads spans."
        row={(key) => (
          <KeyRow key={key.id} apiKey={key} onDelete={() => send(deleteUserKey, { id: key.id })} onDeleted={reread} />
        )}
      >
        {isCreating && (
          <NewKey
            title="New API key"
            operation={createUserKey}
            scopes={USER_KEY_SCOPES}
            onCreated={reread}
            onClose={() => setCreating(false)}
          />
        )}
      </SettingsList>
      <SettingsList
        title="Apps"
        about="Applications that act as you, with your current role. Revoke the ones that you do not recognize."
        list={{ items: data?.viewer?.oauth2Grants, isComplete: true, failure: undefined, refetch: reread }}
        noun="apps"
        textOf={({ clientName, clientId }) => `${clientName} ${clientId}`}
        empty="No app has access to your account. An app asks you in the browser when it signs in."
        row={(app) => <AppRow key={app.id} app={app} onRevoked={reread} />}
      />
      <Sessions sessions={data?.viewer?.sessions} onChanged={reread} />
    </>
  );
}

const NOTHING = {};
