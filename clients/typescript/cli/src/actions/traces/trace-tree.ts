import type { Output } from '../../output/output.ts';
import { toDuration, toLine, toMoney } from '../../output/text.ts';

/** A span as the tree draws it. */
export interface TreeSpan {
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: string;
  readonly isError: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly tokenCount: number | undefined;
  /** US dollars. */
  readonly cost: number | undefined;
  /** Why it failed, or nothing. */
  readonly message: string;
}

const DEPTH_MAX = 200;
const NAME_LENGTH_MAX = 60;

/** Lines of a trace: spans below their parents by start time, with times, tokens and costs. */
export function toTree(spans: readonly TreeSpan[], output: Pick<Output, 'paint'>): string {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const children = new Map<string | null, TreeSpan[]>();
  for (const span of spans) {
    const parent =
      span.parentId !== null && ids.has(span.parentId) && span.parentId !== span.spanId ? span.parentId : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(span);
    else children.set(parent, [span]);
  }
  for (const list of children.values()) list.sort((left, right) => left.startMs - right.startMs);
  const rows: { readonly left: string; readonly span: TreeSpan }[] = [];
  const drawn = new Set<string>();
  const draw = (span: TreeSpan, prefix: string, branch: string, depth: number): void => {
    if (drawn.has(span.spanId)) return;
    drawn.add(span.spanId);
    rows.push({ left: `${prefix}${branch}${span.kind} ${toLine(span.name, NAME_LENGTH_MAX)}`, span });
    if (depth >= DEPTH_MAX) return;
    const inner = `${prefix}${branch === '' ? '' : branch === '└─ ' ? '   ' : '│  '}`;
    const below = children.get(span.spanId) ?? [];
    for (const [index, child] of below.entries())
      draw(child, inner, index === below.length - 1 ? '└─ ' : '├─ ', depth + 1);
  };
  for (const root of children.get(null) ?? []) draw(root, '', '', 0);
  // Spans that are their own ancestors have no root.
  for (const span of spans) draw(span, '', '', 0);
  const width = rows.reduce((widest, { left }) => Math.max(widest, left.length), 0);
  return rows.map(({ left, span }) => toRow(left.padEnd(width), span, output)).join('\n');
}

function toRow(left: string, span: TreeSpan, output: Pick<Output, 'paint'>): string {
  const facts = [
    toDuration(span.endMs - span.startMs).padStart(9),
    (span.tokenCount ? `${span.tokenCount} tok` : '').padStart(9),
    toMoney(span.cost).padStart(9),
  ].join('  ');
  const error = span.isError ? `  ${output.paint('red', `✗ ${toLine(span.message, 100)}`.trimEnd())}` : '';
  return `${span.isError ? output.paint('red', left) : left}  ${output.paint('gray', facts)}${error}`.trimEnd();
}
