import type { KindName } from '../../../components/kinds.ts';
import type { SpanTree } from '../tree/span-tree.ts';

/** Something that was done, with what was done within it. In the order of their starts. */
export interface Step {
  readonly index: number;
  readonly steps: readonly Step[];
}

/** Several steps in a row of one name, told as one. */
export interface RepeatedStep {
  readonly repeated: readonly Step[];
}

/** What says something of its own; other spans are how the program is built, and pass on what is below them. */
const TOLD: ReadonlySet<KindName> = new Set([
  'agent',
  'llm',
  'tool',
  'retriever',
  'reranker',
  'guardrail',
  'evaluator',
]);

/** From so many on. */
const REPEATED_COUNT_MIN = 8;

/** What was done below a span. A trace may be deeper than the call stack, so this walks by a stack of its own. */
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

/** Joins long runs of one name. A call of a model is told by itself, since its words differ. */
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
