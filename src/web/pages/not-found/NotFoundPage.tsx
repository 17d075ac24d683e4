import { Icon } from '../../components/Icon.tsx';
import { Link } from '../../router/Link.tsx';
import { useLocation } from '../../router/location.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';

export function NotFoundPage() {
  const { path } = useLocation();
  return (
    <>
      <PageHeader crumbs={[{ label: 'No such page' }]} />
      <div className="empty">
        <Icon name="arch" size={40} />
        <h2>There is nothing at this address</h2>
        <p className="mono">{path}</p>
        <Link className="button" to="/projects">
          All projects
        </Link>
      </div>
    </>
  );
}
