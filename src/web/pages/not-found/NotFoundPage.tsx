import { Icon } from '../../components/Icon.tsx';
import { Link } from '../../router/Link.tsx';
import { useLocation } from '../../router/location.ts';
import { PageHeader } from '../../shell/PageHeader.tsx';

export function NotFoundPage() {
  const { path } = useLocation();
  return (
    <>
      <PageHeader crumbs={[{ label: 'Page not found' }]} />
      <div className="empty">
        <Icon name="arch" size={40} />
        <h2>There is no page at this address</h2>
        <p className="mono">{path}</p>
        <Link className="button" to="/projects">
          Show all projects
        </Link>
      </div>
    </>
  );
}
