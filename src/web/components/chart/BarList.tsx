import type { ReactNode } from 'react';
import { shownName } from '../../format/names.ts';
import { Link } from '../../router/Link.tsx';
import { useEmptyText } from './chart-cursor.tsx';

export interface BarListRow {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly shown: string;
  /** Shown beside the value, such as a part of it. */
  readonly more?: string | undefined;
  readonly to: string;
}

interface BarListProps {
  readonly title: string;
  readonly about: string;
  readonly color: `--${string}`;
  readonly rows: readonly BarListRow[];
  readonly isLoading: boolean;
  /** Controls at the end of the head. */
  readonly actions?: ReactNode;
}

/** Bars, largest first. Each links to its spans. */
export function BarList({ title, about, color, rows, isLoading, actions }: BarListProps) {
  const emptyText = useEmptyText();
  const top = Math.max(...rows.map(({ value }) => value), 0);
  return (
    <section className="card chart-card" aria-label={title} aria-busy={isLoading}>
      <header>
        <h2>{title}</h2>
        <span className="muted clip">{about}</span>
        {actions}
      </header>
      {rows.length === 0 ? (
        <p className="chart-empty muted">{isLoading ? '' : emptyText}</p>
      ) : (
        <ul className="bar-list">
          {rows.map(({ id, label, value, shown, more, to }) => (
            <li key={id}>
              <Link to={to} title={label}>
                <span className="clip" dir="auto">
                  {shownName(label)}
                </span>
                {more !== undefined && <span className="status-error">{more}</span>}
                <span>{shown}</span>
                <i style={{ width: `${top === 0 ? 0 : (100 * value) / top}%`, background: `var(${color})` }} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
