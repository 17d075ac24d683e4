import { useMemo, useRef } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { useRowHeight, useVisibleRows } from '../../../components/table/use-visible-rows.ts';
import { shownName } from '../../../format/names.ts';
import { formatCost, formatCount, formatLatency } from '../../../format/numbers.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { PaneProps } from '../pane-props.ts';

interface GraphSpansProps extends PaneProps {
  readonly title: string;
  readonly spans: readonly number[];
  readonly onClose: () => void;
}

/** The spans behind a node or a line, slowest first; those in sight alone are drawn. */
export function GraphSpans({ tree, costs, title, spans, selected, onSelect, onClose }: GraphSpansProps) {
  const { offsetsMs, latenciesMs, cumulativeTokenCounts } = tree.skeleton;
  const rowHeight = useRowHeight(usePreferences().density);
  const sorted = useMemo(() => [...spans].sort((a, b) => latenciesMs[b]! - latenciesMs[a]!), [spans, latenciesMs]);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end } = useVisibleRows(scroller, sorted.length, rowHeight);
  return (
    <section className="graph-spans" aria-label={`Spans of ${title}`}>
      <header className="row">
        <h3 className="clip">{title}</h3>
        <span className="muted grow">
          {formatCount(spans.length)} {spans.length === 1 ? 'span' : 'spans, slowest first'}
        </span>
        <button type="button" className="button bare small icon-only" aria-label="Close the spans" onClick={onClose}>
          <Icon name="close" size={12} />
        </button>
      </header>
      <div ref={scroller} className="graph-rows">
        <div style={{ height: sorted.length * rowHeight }}>
          {sorted.slice(first, end).map((index, offset) => (
            <button
              key={tree.rowId(index)}
              type="button"
              className="graph-row"
              aria-current={index === selected}
              style={{ transform: `translateY(${(first + offset) * rowHeight}px)` }}
              onClick={() => onSelect(index)}
            >
              <span className="clip grow" dir="auto">
                {shownName(tree.name(index))}
              </span>
              {tree.isError(index) && <span className="status-error">Error</span>}
              <span className="muted">after {formatLatency(offsetsMs[index])}</span>
              {(cumulativeTokenCounts[index] ?? 0) > 0 && (
                <span className="muted">{formatCount(cumulativeTokenCounts[index])} tokens</span>
              )}
              {(costs?.cumulative[index] ?? 0) > 0 && (
                <span className="muted">{formatCost(costs?.cumulative[index])}</span>
              )}
              <span className="graph-latency">{formatLatency(latenciesMs[index])}</span>
            </button>
          ))}
        </div>
      </div>
    </section>
  );
}
