import { Icon } from '../components/Icon.tsx';
import { Link } from '../router/Link.tsx';
import { useAccess } from './use-access.ts';

/** Says why a page is closed to this user. */
export function AccessDenied({ what }: { readonly what: string }) {
  const { hasSignIn } = useAccess();
  return (
    <div className="empty" role="alert">
      <Icon name="guardrail" size={32} />
      <h2>{hasSignIn ? 'Only administrators can open this page' : 'This page needs sign-in'}</h2>
      <p>
        {hasSignIn
          ? `Your role does not include “${what}”. Ask an administrator of this server for help.`
          : `“${what}” exists when the server has sign-in. An operator enables it with SERVICE_ENABLE_AUTH.`}
      </p>
      <Link className="button" to="/projects">
        Show all projects
      </Link>
    </div>
  );
}
