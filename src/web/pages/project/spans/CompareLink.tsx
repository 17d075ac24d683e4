import { Icon } from '../../../components/Icon.tsx';
import { Link } from '../../../router/Link.tsx';

/** Link that compares two traces or two spans. Shown for exactly two. */
export function CompareLink({ projectId, ids }: { readonly projectId: string; readonly ids: readonly string[] }) {
  const [right, left, ...others] = ids;
  if (right === undefined || left === undefined || others.length > 0) return null;
  const query = new URLSearchParams({ left, right });
  return (
    <Link className="button" to={`/projects/${encodeURIComponent(projectId)}/compare?${query}`}>
      <Icon name="compare" size={14} /> Compare
    </Link>
  );
}
