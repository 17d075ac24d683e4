// biome-ignore-all lint/style/noNonNullAssertion: the leaves have `count` keys, and a last key is stored with its node.
import type { AttributeKeys } from './attribute-keys.ts';
import type { AttributeLeaves } from './attribute-leaves.ts';
import { type AttributePlan, makePlan, type PlanOptions } from './attribute-plan.ts';

/** A longer sequence of keys is planned each time, because it rarely repeats. */
const CACHED_LEAF_COUNT_MAX = 500;
/** Maximum number of leaves in all cached plans, about 100 bytes each, and of the nodes that lead to them. */
const KEPT_LEAF_COUNT_MAX = 200_000;
const KEPT_NODE_COUNT_MAX = 100_000;

/** A prefix of a sequence of keys. Spans of one kind have the same sequence, so the last successor is tried first. */
class SequenceNode {
  lastKey = -1;
  lastNode: SequenceNode | undefined;
  next: Map<number, SequenceNode> | undefined;
  plan: AttributePlan | undefined;
}

/** Plans by their sequence of keys. */
export class PlanCache {
  private readonly options: PlanOptions;
  private keys: AttributeKeys | undefined;
  private root = new SequenceNode();
  private keptLeafCount = 0;
  private keptNodeCount = 0;

  constructor(options: PlanOptions) {
    this.options = options;
  }

  /** The plan for the leaves of a span. */
  find(leaves: AttributeLeaves): AttributePlan {
    const { keys, key, count } = leaves;
    if (this.keys !== keys || this.keptLeafCount > KEPT_LEAF_COUNT_MAX || this.keptNodeCount > KEPT_NODE_COUNT_MAX) {
      this.keys = keys;
      this.root = new SequenceNode();
      this.keptLeafCount = 0;
      this.keptNodeCount = 0;
    }
    if (count > CACHED_LEAF_COUNT_MAX) return makePlan(keys, key, count, this.options);
    let node = this.root;
    for (let i = 0; i < count; i++) {
      const k = key[i]!;
      node = node.lastKey === k ? node.lastNode! : this.follow(node, k);
    }
    if (node.plan === undefined) {
      node.plan = makePlan(keys, key, count, this.options);
      this.keptLeafCount += count;
    }
    return node.plan;
  }

  private follow(node: SequenceNode, key: number): SequenceNode {
    let next = node.next?.get(key);
    if (next === undefined) {
      next = new SequenceNode();
      node.next ??= new Map();
      node.next.set(key, next);
      this.keptNodeCount++;
    }
    node.lastKey = key;
    node.lastNode = next;
    return next;
  }
}
