import { useEffect, useMemo, useRef, useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { kindLabel } from '../../../components/kinds.ts';
import { formatErrors } from '../../../format/errors.ts';
import { formatCost, formatCount, formatLatency } from '../../../format/numbers.ts';
import type { PaneProps } from '../pane-props.ts';
import { type CallEdge, type CallNode, toCallGraph } from './call-graph.ts';
import { GraphSpans } from './GraphSpans.tsx';
import { layOut, NODE_HEIGHT, NODE_WIDTH, type PlacedEdge, type PlacedNode } from './graph-layout.ts';
import './graph.css';
import { shownName } from '../../../format/names.ts';

/** Below this the names could not be read; the rest is scrolled to. */
const SCALE_MIN = 0.9;

/** Callers, calls, their number and their time. Spans of one kind and name are one node. */
export function AgentGraph({ tree, costs, selected, onSelect }: PaneProps) {
  const graph = useMemo(() => toCallGraph(tree, costs), [tree, costs]);
  const layout = useMemo(() => layOut(graph, edgeLabel), [graph]);
  const [chosen, setChosen] = useState<CallNode | CallEdge>();
  // The graph is rebuilt when costs arrive and when the trace grows, so the chosen element is found again by its key.
  const shown = chosen && [...graph.nodes, ...graph.edges].find((each) => toKey(each) === toKey(chosen));
  const slowest = Math.max(...graph.edges.map(({ timeMs }) => timeMs), 1);
  const current = graph.nodes.find(({ spans }) => spans.includes(selected));
  const area = useRef<HTMLDivElement>(null);
  // A graph that is larger than its area opens at the selected span. After that, only the user scrolls it.
  useEffect(() => {
    const element = area.current;
    const node = element?.querySelector('[data-current="true"]');
    if (!element || !node) return;
    const [outer, inner] = [element.getBoundingClientRect(), node.getBoundingClientRect()];
    element.scrollTop += inner.top + inner.height / 2 - (outer.top + outer.height / 2);
    if (inner.right > outer.right) element.scrollLeft += inner.right - outer.right + 8;
  }, []);
  return (
    <section className="graph" aria-label="Graph of calls">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div ref={area} className="graph-area" tabIndex={0} role="group" aria-label="Calls">
        <svg
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          style={{ maxWidth: layout.width * 1.15, minWidth: layout.width * SCALE_MIN }}
        >
          <title>{`${formatCount(graph.nodes.length)} names, ${formatCount(tree.count)} spans`}</title>
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0.500 7.500 4 0 7.500z" />
            </marker>
          </defs>
          {layout.edges.map((placed) => (
            <Edge
              key={toKey(placed.edge)}
              placed={placed}
              share={placed.edge.timeMs / slowest}
              isChosen={placed.edge === shown}
              onChoose={() => setChosen(placed.edge)}
            />
          ))}
          {layout.nodes.map((placed) => (
            <Node
              key={toKey(placed.node)}
              placed={placed}
              isChosen={placed.node === shown}
              isCurrent={placed.node === current}
              onChoose={() => {
                setChosen(placed.node);
                onSelect(slowestOf(placed.node.spans, tree.skeleton.latenciesMs));
              }}
            />
          ))}
        </svg>
      </div>
      {shown ? (
        <GraphSpans
          tree={tree}
          costs={costs}
          title={'kind' in shown ? shown.name : `${shown.from.name} → ${shown.to.name}`}
          spans={shown.spans}
          selected={selected}
          onSelect={onSelect}
          onClose={() => setChosen(undefined)}
        />
      ) : (
        <p className="graph-hint muted">Choose a name or a line to see its spans.</p>
      )}
    </section>
  );
}

/** Key that is stable across graphs, unlike ids, which are valid in one skeleton only. */
const toKey = (each: CallNode | CallEdge): string =>
  'kind' in each ? `${each.kind} ${each.name}` : `${toKey(each.from)} / ${toKey(each.to)}`;

const slowestOf = (spans: readonly number[], latenciesMs: readonly number[]): number =>
  spans.reduce((slowest, index) => (latenciesMs[index]! > latenciesMs[slowest]! ? index : slowest));

interface NodeProps {
  readonly placed: PlacedNode;
  readonly isChosen: boolean;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

const FIGURE_X = 32;

function Node({ placed: { node, x, y }, isChosen, isCurrent, onChoose }: NodeProps) {
  const count = node.spans.length;
  const figures = [
    ...(count > 1 ? [`${formatCount(count)}×`] : []),
    formatLatency(node.timeMs),
    ...(node.cost > 0 ? [formatCost(node.cost)] : node.tokens > 0 ? [`${formatCount(node.tokens)} tok`] : []),
    ...(node.selfCalls > 0 ? [`↻ ${formatCount(node.selfCalls)}`] : []),
  ];
  const what = `${shownName(node.name)}, ${kindLabel(node.kind)}, ${formatCount(count)} ${count === 1 ? 'span' : 'spans'}, ${formatLatency(node.timeMs)}${node.errorCount > 0 ? `, ${formatErrors(node.errorCount)}` : ''}`;
  return (
    <g
      className={`graph-node kind-${node.kind}`}
      transform={`translate(${x} ${y})`}
      role="button"
      tabIndex={0}
      aria-pressed={isChosen}
      data-current={isCurrent}
      onClick={onChoose}
      onKeyDown={onEnter(onChoose)}
    >
      <title>{what}</title>
      <rect width={NODE_WIDTH} height={NODE_HEIGHT} rx={7} />
      <path d={`M3.500 6v${NODE_HEIGHT - 12}`} className="graph-kind" />
      <g transform="translate(11 8)" className="graph-icon">
        <Icon name={node.kind} size={14} />
      </g>
      <g>
        <text x={FIGURE_X} y={19} className="graph-name">
          {clip(shownName(node.name), node.errorCount > 0 ? 14 : 17)}
        </text>
        <text x={FIGURE_X} y={35} className="graph-figures">
          {figures.join(' · ')}
        </text>
        {node.errorCount > 0 && (
          <text x={NODE_WIDTH - 9} y={19} className="graph-errors">
            {formatCount(node.errorCount)}!
          </text>
        )}
      </g>
    </g>
  );
}

const edgeLabel = ({ spans, timeMs, cost }: CallEdge): string =>
  `${formatCount(spans.length)}× ${formatLatency(timeMs)}${cost > 0 ? ` · ${formatCost(cost)}` : ''}`;

interface EdgeProps {
  readonly placed: PlacedEdge;
  /** Time of the edge divided by the time of the slowest edge. */
  readonly share: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Edge({ placed: { edge, label, path, labelX, labelY }, share, isChosen, onChoose }: EdgeProps) {
  const what = `${edge.from.name} calls ${edge.to.name}, ${label}`;
  return (
    <g
      className="graph-edge"
      role="button"
      tabIndex={0}
      aria-pressed={isChosen}
      onClick={onChoose}
      onKeyDown={onEnter(onChoose)}
    >
      <title>{what}</title>
      <path d={path} className="graph-reach" />
      <path d={path} className="graph-line" strokeWidth={1 + 3 * share} markerEnd="url(#arrow)" />
      <g>
        <text x={labelX} y={labelY} textAnchor="middle">
          {label}
        </text>
      </g>
    </g>
  );
}

const onEnter = (run: () => void) => (event: React.KeyboardEvent) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  run();
};

const clip = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text);
