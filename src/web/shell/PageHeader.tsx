import { type ReactNode, useEffect } from 'react';
import { shownName } from '../format/names.ts';
import { Link } from '../router/Link.tsx';

interface Crumb {
  readonly label: string;
  /** Absent for the current page. */
  readonly to?: string;
}

/** Breadcrumb and actions of a page. */
export function PageHeader({ crumbs, children }: { readonly crumbs: readonly Crumb[]; readonly children?: ReactNode }) {
  const title = crumbs.at(-1)?.label ?? '';
  useEffect(() => {
    document.title = title === '' ? 'Spandrel' : `${shownName(title)} · Spandrel`;
  }, [title]);
  return (
    <header className="page-header">
      <nav aria-label="Breadcrumb" className="grow">
        <ol className="crumbs">
          {crumbs.map(({ label, to }) => (
            <li key={label + to}>
              {to === undefined ? (
                <h1 aria-current="page" className="clip" dir="auto" title={label}>
                  {shownName(label)}
                </h1>
              ) : (
                <Link to={to} className="clip" dir="auto" title={label}>
                  {shownName(label)}
                </Link>
              )}
            </li>
          ))}
        </ol>
      </nav>
      {children}
    </header>
  );
}
