import { AppRow } from '../../../access/apps/AppRow.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { SettingsList } from '../SettingsList.tsx';
import { settingsApps } from './generated/access.ts';
import './access.css';

/** Apps of all users. */
export function Apps() {
  const { data, failure, refetch } = useQuery(settingsApps, NOTHING);
  const reread = () => void refetch();
  return (
    <SettingsList
      title="Apps of users"
      about="Applications to which users gave access to their accounts. Each acts as its user, with the current role of the user."
      list={{ items: data?.oauth2Grants, isComplete: true, failure, refetch: reread }}
      noun="apps"
      textOf={({ clientName, clientId, user }) => `${clientName} ${clientId} ${user.username} ${user.email ?? ''}`}
      empty="No user has given an app access. An app asks the user in the browser when it signs in."
      row={(app) => <AppRow key={app.id} app={app} owner={app.user.email ?? app.user.username} onRevoked={reread} />}
    />
  );
}

const NOTHING = {};
