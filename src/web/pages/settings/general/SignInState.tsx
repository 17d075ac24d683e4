import { useAccess } from '../../../access/use-access.ts';
import { PAGE_CONFIG } from '../../../page-config.ts';
import { Link } from '../../../router/Link.tsx';
import { Fact } from './Server.tsx';

/** Whether the server has sign-in, and the ways that it offers. */
export function SignInState() {
  const { may } = useAccess();
  const { authenticationEnabled, basicAuthDisabled, ldapEnabled, oAuth2Idps, passwordResetEmailEnabled } = PAGE_CONFIG;
  if (!authenticationEnabled) {
    return (
      <section className="card" aria-label="Sign-in">
        <h2>Sign-in</h2>
        <p className="muted">
          Off. Everyone who can reach this server may read and change all data. An operator enables sign-in with{' '}
          <code>SERVICE_ENABLE_AUTH</code> and <code>SERVICE_SECRET</code>.
        </p>
      </section>
    );
  }
  const providers = oAuth2Idps.map(({ displayName }) => displayName);
  return (
    <section className="card" aria-label="Sign-in">
      <h2>Sign-in</h2>
      <Fact label="Passwords">
        {basicAuthDisabled ? 'Off' : `On, ${passwordResetEmailEnabled ? 'with' : 'without'} reset by email`}
      </Fact>
      <Fact label="Identity providers">{providers.length === 0 ? 'None' : providers.join(', ')}</Fact>
      <Fact label="Directory (LDAP)">{ldapEnabled ? 'On' : 'Off'}</Fact>
      {may('strictAdmin') && (
        <p className="setting-links">
          <Link to="/settings/users">Manage users</Link>
          <Link to="/settings/api-keys">Manage API keys</Link>
          <Link to="/settings/audit">Show the audit log</Link>
        </p>
      )}
    </section>
  );
}
