import type { CSSProperties, ReactNode } from 'react';
import { shownName } from '../../../format/names.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import type { Group, Measure } from '../compared.ts';
import { formatDifference } from '../format-measure.ts';
import { type HeatCell, toHeatRows } from './heat.ts';

interface HeatTableProps {
  readonly title: string;
  readonly groups: readonly Group[];
  readonly measures: readonly Measure[];
  /** Experiment whose differences to the baseline are shown. */
  readonly experimentId: string;
  /** Address of the grid with the examples of a group that are worse on a measure. */
  readonly toGrid: (group: Group, measure: Measure) => string;
  /** Controls of the table. */
  readonly actions?: ReactNode;
  /** Shown if there are no groups. */
  readonly empty: ReactNode;
}

/** Differences to the baseline by group and measure. The color says better or worse, its strength how much. */
export function HeatTable(props: HeatTableProps) {
  const { title, groups, measures, experimentId, toGrid, actions, empty } = props;
  const shown = measures.filter(({ values }) => values.length > 0);
  return (
    <section className="card heat" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="grow" />
        {actions}
      </header>
      {groups.length === 0 ? (
        <p className="muted">{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <div className="heat-scroll" tabIndex={0} role="region" aria-label={`${title}, table`}>
          <table>
            <thead>
              <tr>
                <th>Group</th>
                <th className="number">Examples</th>
                {shown.map(({ key, name }) => (
                  <th key={key} className="number">
                    <span className="clip" title={name}>
                      {name}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {toHeatRows(groups, shown, experimentId).map(({ group, cells }) => (
                <tr key={group.name}>
                  <th scope="row">
                    <span className="clip" dir="auto" title={group.name}>
                      {shownName(group.name)}
                    </span>
                  </th>
                  <td className="number muted">{formatCount(group.exampleCount)}</td>
                  {cells.map((cell) => (
                    <td key={cell.measure.key}>
                      <HeatField cell={cell} to={toGrid(group, cell.measure)} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Strength of the color at the largest difference, in percent. */
const STRENGTH_MAX = 34;

function HeatField({ cell, to }: { readonly cell: HeatCell; readonly to: string }) {
  const { measure, difference, isBetter, strength } = cell;
  if (difference === undefined || difference.mean === null) return <span className="heat-field muted">–</span>;
  const style = { '--strength': `${Math.round(strength * STRENGTH_MAX)}%` } as CSSProperties;
  const className = isBetter === undefined ? 'heat-field' : `heat-field ${isBetter ? 'is-better' : 'is-worse'}`;
  const text = `${isBetter === undefined ? '' : isBetter ? '▲ ' : '▼ '}${formatDifference(measure, difference.mean)}`;
  return (
    <Link className={className} style={style} to={to} title={`${difference.sentence} Opens these examples.`}>
      {difference.verdict === 'UNCLEAR' ? text : <strong>{text}</strong>}
    </Link>
  );
}
