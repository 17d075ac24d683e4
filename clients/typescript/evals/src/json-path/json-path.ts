import { EvaluationError } from '../errors.ts';
import { type Filter, isFilterTrue, type Segment, type Selector } from './json-path-nodes.ts';
import { parseJsonPath } from './parse-json-path.ts';

/** Values that a path may visit, so that `$..*` in a large row ends. */
const VISIT_COUNT_MAX = 1_000_000;

const parsed = new Map<string, readonly Segment[]>();
/** Mappings are few; a caller that makes texts does not fill the memory. */
const PARSED_COUNT_MAX = 500;

/**
 * All values of a JSON document that a path of RFC 9535 selects, in its order.
 *
 * @throws {EvaluationError} for a text that is no path
 */
export function selectJsonPath(document: unknown, path: string): unknown[] {
  let segments = parsed.get(path);
  if (!segments) {
    segments = parseJsonPath(path);
    if (parsed.size >= PARSED_COUNT_MAX) parsed.clear();
    parsed.set(path, segments);
  }
  return applySegments(segments, [document], { root: document, visits: 0 });
}

interface Walk {
  readonly root: unknown;
  visits: number;
}

function applySegments(segments: readonly Segment[], start: readonly unknown[], walk: Walk): unknown[] {
  let nodes = [...start];
  for (const { isDescendant, selectors } of segments) {
    const from = isDescendant ? nodes.flatMap((node) => descendants(node, walk)) : nodes;
    nodes = from.flatMap((node) => selectors.flatMap((selector) => select(node, selector, walk)));
  }
  return nodes;
}

function descendants(node: unknown, walk: Walk): unknown[] {
  const found: unknown[] = [];
  const waiting = [node];
  while (waiting.length > 0) {
    const value = waiting.pop();
    found.push(value);
    visit(walk);
    // Not as arguments of one call, of which there may be too many.
    for (const child of childrenOf(value).reverse()) waiting.push(child);
  }
  return found;
}

function visit(walk: Walk): void {
  if (++walk.visits > VISIT_COUNT_MAX)
    throw new EvaluationError(`The path visits more than ${VISIT_COUNT_MAX} values.`);
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return [...value];
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function select(node: unknown, selector: Selector, walk: Walk): unknown[] {
  visit(walk);
  if (selector.type === 'name') {
    const isThere =
      typeof node === 'object' && node !== null && !Array.isArray(node) && Object.hasOwn(node, selector.name);
    return isThere ? [(node as Record<string, unknown>)[selector.name]] : [];
  }
  if (selector.type === 'wildcard') return childrenOf(node);
  if (selector.type === 'filter') return childrenOf(node).filter((child) => isTrue(selector.filter, child, walk));
  if (!Array.isArray(node)) return [];
  if (selector.type === 'index') {
    const index = selector.index < 0 ? node.length + selector.index : selector.index;
    return index >= 0 && index < node.length ? [node[index]] : [];
  }
  return slice(node, selector);
}

const isTrue = (filter: Filter, current: unknown, walk: Walk): boolean =>
  isFilterTrue(filter, ({ isRoot, segments }) => applySegments(segments, [isRoot ? walk.root : current], walk));

function slice(list: readonly unknown[], { start, end, step = 1 }: Extract<Selector, { type: 'slice' }>): unknown[] {
  if (step === 0) return [];
  const { length } = list;
  const place = (value: number) => (value < 0 ? length + value : value);
  const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
  const found: unknown[] = [];
  if (step > 0) {
    const upper = clamp(place(end ?? length), 0, length);
    for (let at = clamp(place(start ?? 0), 0, length); at < upper; at += step) found.push(list[at]);
  } else {
    const lower = end === undefined ? -1 : clamp(place(end), -1, length - 1);
    for (let at = clamp(place(start ?? length - 1), -1, length - 1); at > lower; at += step) found.push(list[at]);
  }
  return found;
}
