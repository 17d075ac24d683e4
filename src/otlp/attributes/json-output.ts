// biome-ignore-all lint/style/noNonNullAssertion: leaves and steps of a plan have an entry in all its arrays.
import type { TextColumnBuilder } from '../../columns/text-column-builder.ts';
import type { AttributePlan } from './attribute-plan.ts';

/**
 * Nested JSON of one span, written leaf by leaf in the order of a plan. Only some leaves of the plan are written here:
 * the path steps that two leaves do not share close and open the levels between them, and list elements without a leaf
 * here are `{}`, so that indices stay correct.
 */
export class JsonOutput {
  column: TextColumnBuilder;
  /** Last step of the leaf that was written last, or -1, and its depth. */
  lastStep = -1;
  lastDepth = 0;
  /** Number of steps that the next leaf shares with the one written last. */
  shared = 0;
  private readonly baseDepth: number;
  /** Steps of the path to a leaf, deepest first. */
  private steps = new Int32Array(64);

  constructor(column: TextColumnBuilder, baseDepth: number) {
    this.column = column;
    this.baseDepth = baseDepth;
  }

  begin(column: TextColumnBuilder): void {
    this.column = column;
    this.lastStep = -1;
  }

  /**
   * Appends the path to leaf `i`; the value must be appended next. `open` is the character that opens the whole text.
   */
  openLeaf(plan: AttributePlan, i: number, open: number): void {
    let from = this.baseDepth;
    let lastElement = -1;
    if (this.lastStep < 0) this.put(open);
    else {
      from = this.shared;
      lastElement = plan.stepElement[this.closeDownTo(plan, from)]!;
      this.put(COMMA);
    }
    const step = plan.step[i]!;
    const depth = plan.depth[i]!;
    if (depth === from + 1) this.openStep(plan, step, lastElement);
    else this.openSteps(plan, step, depth - from, lastElement);
    this.lastStep = step;
    this.lastDepth = depth;
    this.shared = depth;
  }

  /** Closes everything. Returns false if nothing was written. */
  finish(plan: AttributePlan, open: number): boolean {
    if (this.lastStep < 0) return false;
    this.closeDownTo(plan, this.baseDepth);
    // The closing character of { and [ is two code points after it.
    this.put(open + 2);
    return true;
  }

  /** Closes the levels below a depth. Returns the step of the last path just below it. */
  private closeDownTo(plan: AttributePlan, depth: number): number {
    let below = this.lastStep;
    for (let d = this.lastDepth - 1; d > depth; d--) {
      below = plan.stepParent[below]!;
      this.put(plan.stepClose[below]!);
    }
    return below;
  }

  private openSteps(plan: AttributePlan, lastStep: number, count: number, lastElement: number): void {
    if (count > this.steps.length) this.steps = new Int32Array(2 * count);
    const { steps } = this;
    for (let i = 0, step = lastStep; i < count; i++, step = plan.stepParent[step]!) steps[i] = step;
    this.openStep(plan, steps[count - 1]!, lastElement);
    for (let i = count - 2; i >= 0; i--) this.openStep(plan, steps[i]!, -1);
  }

  /** Appends one step. `lastElement` is the index of the previous element of the same list, or -1 for a new list. */
  private openStep(plan: AttributePlan, step: number, lastElement: number): void {
    for (let missing = plan.stepElement[step]! - lastElement - 1; missing > 0; missing--) {
      this.put(OPEN_OBJECT);
      this.put(CLOSE_OBJECT);
      this.put(COMMA);
    }
    const { column } = this;
    const { text } = plan;
    const start = plan.stepStart[step]!;
    const end = plan.stepEnd[step]!;
    column.reserve(end - start);
    const { utf8 } = column;
    let to = column.length;
    for (let at = start; at < end; at++) utf8[to++] = text[at]!;
    column.length = to;
  }

  private put(sign: number): void {
    this.column.reserve(1);
    this.column.utf8[this.column.length++] = sign;
  }
}

const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
