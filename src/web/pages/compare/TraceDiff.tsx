import { useMemo, useRef, useState } from 'react';
import { FailureBoundary } from '../../components/Failure.tsx';
import { KindMark } from '../../components/Kind.tsx';
import { useRowHeight, useVisibleRows } from '../../components/table/use-visible-rows.ts';
import { shownName } from '../../format/names.ts';
import { formatCount, formatLatency, formatSmallCost } from '../../format/numbers.ts';
import { useTimeFormat } from '../../format/times.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { Link } from '../../router/Link.tsx';
import { setSearch, useLocation } from '../../router/location.ts';
import { SplitPane } from '../trace/SplitPane.tsx';
import { SpanTree } from '../trace/tree/span-tree.ts';
import { Change } from './Change.tsx';
import { isDifferent, type Pair, pairTrees } from './pair-trees.ts';
import { SpanDiff } from './SpanDiff.tsx';
import type { TraceSide } from './sides.ts';
import '../trace/trace.css';
import '../trace/tree/tree.css';

/** Two traces as one tree, beside the comparison of the selected pair of spans. */
export function TraceDiff({ left, right }: { readonly left: TraceSide; readonly right: TraceSide }) {
  const { search } = useLocation();
  const trees = useMemo(() => [new SpanTree(left.skeleton), new SpanTree(right.skeleton)] as const, [left, right]);
  const pairs = useMemo(() => pairTrees(...trees), [trees]);
  const different = useMemo(() => pairs.filter((pair) => isDifferent(...trees, pair)), [pairs, trees]);
  const [isDifferentOnly, setDifferentOnly] = useState(false);
  const chosen = search.get('pair');
  const selected = pairs.find(({ key }) => key === chosen) ?? pairs[0];
  const missing = (side: 'left' | 'right') => pairs.filter((pair) => pair[side] === undefined).length;
  return (
    <div className="trace-view">
      <div className="compare-heads">
        <Head side={left} label="A" />
        <Head side={right} label="B" against={left} />
      </div>
      <SplitPane
        name="compare"
        left={
          <section className="tree" aria-label="Spans of both traces">
            <div className="tree-bar">
              <span className="grow muted clip">
                {formatCount(different.length)} of {formatCount(pairs.length)} differ · {formatCount(missing('right'))}{' '}
                only in A · {formatCount(missing('left'))} only in B
              </span>
              <button
                type="button"
                className="button small"
                aria-pressed={isDifferentOnly}
                onClick={() => setDifferentOnly(!isDifferentOnly)}
              >
                Differences only
              </button>
            </div>
            <Pairs pairs={isDifferentOnly ? different : pairs} trees={trees} selected={selected} />
          </section>
        }
        right={
          <FailureBoundary name="The spans" key={selected?.key}>
            <div className="span-panel">
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
              <div className="span-body" tabIndex={0} role="region" aria-label="Spans side by side">
                {selected && (
                  <SpanDiff
                    leftId={selected.left === undefined ? undefined : trees[0].nodeId(selected.left)}
                    rightId={selected.right === undefined ? undefined : trees[1].nodeId(selected.right)}
                  />
                )}
              </div>
            </div>
          </FailureBoundary>
        }
      />
    </div>
  );
}

interface HeadProps {
  readonly side: TraceSide;
  readonly label: string;
  readonly against?: TraceSide;
}

function Head({ side, label, against }: HeadProps) {
  const times = useTimeFormat();
  const tokens = (each: TraceSide) => {
    const { parents, cumulativeTokenCounts } = each.skeleton;
    return parents.reduce((sum, parent, index) => (parent < 0 ? sum + (cumulativeTokenCounts[index] ?? 0) : sum), 0);
  };
  return (
    <section className="compare-head" aria-label={`Trace ${label}`}>
      <span className={`side-mark of-${label === 'A' ? 'left' : 'right'}`}>{label}</span>
      <Link to={`/projects/${encodeURIComponent(side.project.id)}/traces/${side.traceId}`} className="clip">
        {side.skeleton.names[side.skeleton.nameIndices[0]!]}, {times.short(side.startTime)}
      </Link>
      <Change label="Latency" now={side.latencyMs} before={against?.latencyMs} format={formatLatency} />
      <Change label="Spans" now={side.numSpans} before={against?.numSpans} format={formatCount} />
      <Change label="Errors" now={side.errorCount} before={against?.errorCount} format={formatCount} />
      <Change label="Tokens" now={tokens(side)} before={against && tokens(against)} format={formatCount} />
      <Change
        label="Cost"
        now={side.costSummary.total.cost}
        before={against?.costSummary.total.cost}
        format={formatSmallCost}
      />
    </section>
  );
}

interface PairsProps {
  readonly pairs: readonly Pair[];
  readonly trees: readonly [SpanTree, SpanTree];
  readonly selected: Pair | undefined;
}

function Pairs({ pairs, trees, selected }: PairsProps) {
  const rowHeight = useRowHeight(usePreferences().density);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end } = useVisibleRows(scroller, pairs.length, rowHeight);
  return (
    <>
      <div className="pair-row pair-head" aria-hidden="true">
        <span>Span</span>
        <span>A</span>
        <span>B</span>
        <span>Change</span>
      </div>
      <div ref={scroller} className="tree-rows">
        <div style={{ height: pairs.length * rowHeight }}>
          {pairs.slice(first, end).map((pair, offset) => (
            <PairRow
              key={pair.key}
              pair={pair}
              trees={trees}
              top={(first + offset) * rowHeight}
              isSelected={pair === selected}
            />
          ))}
        </div>
      </div>
    </>
  );
}

interface PairRowProps {
  readonly pair: Pair;
  readonly trees: readonly [SpanTree, SpanTree];
  readonly top: number;
  readonly isSelected: boolean;
}

function PairRow({ pair, trees: [left, right], top, isSelected }: PairRowProps) {
  const isLeft = pair.left !== undefined;
  const [tree, index] = isLeft ? ([left, pair.left!] as const) : ([right, pair.right!] as const);
  const figure = (side: SpanTree, at: number | undefined) =>
    at === undefined ? (
      ''
    ) : side.isError(at) ? (
      <span className="status-error">Error</span>
    ) : (
      formatLatency(side.skeleton.latenciesMs[at])
    );
  const state = isLeft && pair.right !== undefined ? 'both' : isLeft ? 'left' : 'right';
  return (
    <button
      type="button"
      className={`tree-row pair-row kind-${tree.kind(index)}`}
      data-of={state}
      aria-current={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => setSearch({ pair: pair.key }, { replaces: true })}
    >
      <span className="tree-name" style={{ '--depth': Math.min(pair.depth, 14) } as React.CSSProperties}>
        <KindMark kind={tree.kind(index)} />
        <span className="clip" dir="auto" title={tree.name(index)}>
          {shownName(tree.name(index))}
        </span>
      </span>
      <span>{figure(left, pair.left)}</span>
      <span>{figure(right, pair.right)}</span>
      <span>
        {state === 'both' ? (
          <Change
            now={right.skeleton.latenciesMs[pair.right!]}
            before={left.skeleton.latenciesMs[pair.left!]}
            format={formatLatency}
            isBare
          />
        ) : (
          <span className={`compare-only of-${isLeft ? 'A' : 'B'}`}>only {isLeft ? 'A' : 'B'}</span>
        )}
      </span>
    </button>
  );
}
