import type { KindName } from '../../../components/kinds.ts';
import type { SpanTree } from '../tree/span-tree.ts';

/** Step of a trace with its nested steps, by start time. */
export interface Step {
  readonly index: number;
  readonly steps: readonly Step[];
}

/** Consecutive steps of one name, shown as a group. */
export interface RepeatedStep {
  readonly repeated: readonly Step[];
}

/** Kinds that are shown as steps. Other spans are structure, and their steps move up. */
const TOLD: ReadonlySet<KindName> = new Set([
  'agent',
  'llm',
  'tool',
  'retriever',
  'reranker',
  'guardrail',
  'evaluator',
]);

/** Minimum size of a group. */
const REPEATED_COUNT_MIN = 8;

/** Collects the steps below a span. Uses its own stack, because a trace may be deeper than the call stack. */
export function toSteps(tree: SpanTree, root: number): readonly Step[] {
  interface Growing extends Step {
    readonly steps: Growing[];
  }
  const top: Growing = { index: root, steps: [] };
  const stack: (readonly [number, Growing])[] = tree.children(root).map((child) => [child, top]);
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const [index, owner] = entry;
    let below = owner;
    if (TOLD.has(tree.kind(index))) {
      below = { index, steps: [] };
      owner.steps.push(below);
    }
    for (const child of tree.children(index)) stack.push([child, below]);
  }
  const unsorted = [top];
  for (let step = unsorted.pop(); step; step = unsorted.pop()) {
    step.steps.sort((a, b) => a.index - b.index);
    unsorted.push(...step.steps);
  }
  return top.steps;
}

/** Groups long runs of one name. Model calls are not grouped, because their texts differ. */
export function joinRepeated(tree: SpanTree, steps: readonly Step[]): readonly (Step | RepeatedStep)[] {
  const joined: (Step | RepeatedStep)[] = [];
  for (let from = 0; from < steps.length; ) {
    let end = from + 1;
    while (end < steps.length && isSame(tree, steps[from]!.index, steps[end]!.index)) end++;
    if (end - from >= REPEATED_COUNT_MIN) joined.push({ repeated: steps.slice(from, end) });
    else joined.push(...steps.slice(from, end));
    from = end;
  }
  return joined;
}

const isSame = (tree: SpanTree, a: number, b: number): boolean =>
  tree.kind(a) !== 'llm' && tree.kind(a) === tree.kind(b) && tree.name(a) === tree.name(b);
