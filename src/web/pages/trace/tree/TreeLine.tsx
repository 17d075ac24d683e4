import { memo } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { KindMark } from '../../../components/Kind.tsx';
import { formatErrors } from '../../../format/errors.ts';
import { shownName } from '../../../format/names.ts';
import { formatCost, formatCount, formatLatency } from '../../../format/numbers.ts';
import { type CriticalPath, type Waits, waitedMs } from './critical-path.ts';
import type { SpanCosts } from './span-costs.ts';
import type { SpanTree, TreeRow } from './span-tree.ts';

interface TreeLineProps {
  readonly tree: SpanTree;
  /** Absent if costs are not shown. */
  readonly costs: SpanCosts | undefined;
  readonly path: CriticalPath | undefined;
  readonly row: TreeRow;
  /** Top of the line in pixels. */
  readonly top: number;
  readonly isSelected: boolean;
  readonly searchText: string;
  readonly hasFigures: boolean;
  readonly onSelect: (row: TreeRow) => void;
  readonly onToggle: (row: TreeRow) => void;
}

/** Maximum indentation, so that deep spans stay in their column. */
const DEPTH_SHOWN_MAX = 14;

/** Line of the tree: a span with its bar. Memoized, because a row may represent 20,000 spans. */
export const TreeLine = memo((props: TreeLineProps) => {
  const { tree, row, top, isSelected, searchText, onSelect, onToggle } = props;
  const { index, group } = row;
  const name = tree.name(index);
  const errorCount = group ? group.filter(tree.isError).length : row.isOpen ? 0 : tree.errorsBelow(index);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
    <div
      id={group ? undefined : `span-${tree.rowId(index)}`}
      role="treeitem"
      tabIndex={-1}
      className={`tree-row kind-${tree.kind(index)}`}
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      {...(row.childCount > 0 ? { 'aria-expanded': row.isOpen } : {})}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(row)}
    >
      <span
        className="tree-name"
        style={{ '--depth': Math.min(row.depth, DEPTH_SHOWN_MAX) } as React.CSSProperties}
        title={name}
      >
        {row.childCount > 0 ? (
          // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same on the line
          // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same on the line
          <span
            className="tree-fold"
            data-open={row.isOpen}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(row);
            }}
          >
            <Icon name="right" size={11} />
          </span>
        ) : (
          <span className="tree-fold" />
        )}
        <KindMark kind={tree.kind(index)} />
        <span className="clip" dir="auto">
          <Marked text={shownName(name)} searchText={searchText} />
        </span>
        {group && <span className="tree-count">× {formatCount(group.length)}</span>}
        {!group && !row.isOpen && row.childCount > 0 && (
          <span className="tree-count">{formatCount(row.childCount)}</span>
        )}
        {tree.isOrphan(index) && !group && (
          <span className="tree-mark" title="The parent span has not arrived or was deleted">
            no parent
          </span>
        )}
        {(errorCount > 0 || (!group && tree.isError(index))) && (
          <span className="tree-error" title={errorCount > 1 ? formatErrors(errorCount) : 'Error'}>
            <Icon name="error" size={13} />
          </span>
        )}
      </span>
      <SpanTimeline {...props} />
    </div>
  );
});

function SpanTimeline({ tree, costs, path, row, hasFigures }: TreeLineProps) {
  const { offsetsMs, latenciesMs, cumulativeTokenCounts } = tree.skeleton;
  const members = row.group ?? [row.index];
  const start = offsetsMs[members[0]!]!;
  const end = members.reduce((latest, index) => Math.max(latest, offsetsMs[index]! + latenciesMs[index]!), start);
  const whole = tree.endMs || 1;
  const tokens = members.reduce((sum, index) => sum + (cumulativeTokenCounts[index] ?? 0), 0);
  const cost = costs ? members.reduce((sum, index) => sum + (costs.cumulative[index] ?? 0), 0) : 0;
  const isFailed = !row.group && tree.isError(row.index);
  const waited = path && members.flatMap(path.waitsOf);
  return (
    <>
      {hasFigures && <span className="tree-figure">{formatLatency(end - start)}</span>}
      {hasFigures && <span className="tree-figure">{tokens > 0 ? formatCount(tokens) : ''}</span>}
      {costs && <span className="tree-figure of-cost">{cost > 0 ? formatCost(cost) : ''}</span>}
      <span className="tree-timeline">
        <span
          className={isFailed ? 'tree-span failed' : 'tree-span'}
          style={{ left: `${(start / whole) * 100}%`, width: `${((end - start) / whole) * 100}%` }}
        />
        {waited && waited.length > 0 && <Waited waits={waited} whole={whole} />}
      </span>
    </>
  );
}

/** Number of segments of the critical path. Close segments are merged. */
const SEGMENT_COUNT = 400;

/** Segments of the critical path, below the bar of the span. */
function Waited({ waits, whole }: { readonly waits: Waits; readonly whole: number }) {
  const segments: [number, number][] = [];
  const times = Array.from({ length: waits.length / 2 }, (_, at) => [waits[at * 2]!, waits[at * 2 + 1]!] as const);
  for (const [start, end] of times.sort(([a], [b]) => a - b)) {
    const last = segments.at(-1);
    if (last && start - last[1] < whole / SEGMENT_COUNT) last[1] = Math.max(last[1], end);
    else segments.push([start, end]);
  }
  const path = segments.map(([start, end]) => `M${(start / whole) * 1000} 1H${(end / whole) * 1000}`).join('');
  return (
    <svg
      className="tree-waited"
      viewBox="0 0 1000 2"
      preserveAspectRatio="none"
      role="img"
      aria-label={`on the critical path for ${formatLatency(waitedMs(waits))}`}
    >
      <title>{`The root waited ${formatLatency(waitedMs(waits))} for this itself`}</title>
      <path d={path} />
    </svg>
  );
}

function Marked({ text, searchText }: { readonly text: string; readonly searchText: string }) {
  const part = searchText.trim().toLowerCase();
  const at = part === '' ? -1 : text.toLowerCase().indexOf(part);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
}
