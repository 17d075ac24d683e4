// biome-ignore-all lint/style/noNonNullAssertion: a key sequence has `count` keys, and each step but the root has a parent.
import { TEXT_ATTRIBUTES } from '../../columns/text-attributes.ts';
import type { AttributeKeys } from './attribute-keys.ts';

/** The output to which a leaf is written. */
export const TO_ATTRIBUTES = 0;
export const TO_METADATA = 1;
export const TO_INPUT_VALUE = 2;

/** Paths that have a column or a special treatment. */
export const ROLES = [
  '',
  'input.value',
  'output.value',
  ...TEXT_ATTRIBUTES.map(({ key }) => key),
  'openinference.span.kind',
  'llm.token_count.prompt',
  'llm.token_count.completion',
] as const;
type Role = (typeof ROLES)[number];
export const roleOf = (path: Role): number => ROLES.indexOf(path);
/** The roles from 1 to this one are texts with a column each. */
export const LAST_TEXT_ROLE = roleOf('openinference.span.kind') - 1;

/**
 * Maximum bytes of dotted sibling names in one plan. Keys that repeat a long prefix for each child could fill the
 * memory.
 */
const SIBLING_NAME_BYTES_MAX = 4 * 1024 * 1024;

/**
 * How the attributes of spans with one sequence of keys become nested JSON (reference: unflattening): the leaves in the
 * order of writing, each at the end of a path of steps. It depends only on the keys, so one plan serves every span with
 * the same keys.
 */
export interface AttributePlan {
  readonly leafCount: number;
  /** Index of each leaf in the sequence of keys. */
  readonly place: Int32Array;
  /** Index of each leaf into `ROLES`. */
  readonly role: Uint8Array;
  readonly target: Uint8Array;
  /** Last step of each leaf, the number of steps in its path, and how many of them it shares with the previous leaf. */
  readonly step: Int32Array;
  readonly depth: Int32Array;
  readonly shared: Int32Array;
  /** Previous step of each step in the path, or -1. */
  readonly stepParent: Int32Array;
  /** Bounds in `text` of the text that opens each step, such as `"llm":{`, without the comma before it. */
  readonly stepStart: Int32Array;
  readonly stepEnd: Int32Array;
  /** Index of each step that is an element of a list, else -1. */
  readonly stepElement: Int32Array;
  /** Character that closes each step, `}` or `]`, or 0 if it leads to a leaf. */
  readonly stepClose: Uint8Array;
  readonly text: Uint8Array;
  /** The character that opens the whole of `TO_INPUT_VALUE`: an object or a list. */
  readonly inputValueOpen: number;
}

/** Number of steps above the text of each target: `metadata` has one, `input.value` has two. */
export const TARGET_DEPTH = [0, 1, 2] as const;

export interface PlanOptions {
  /** Whether an object or list at `input.value` becomes text. */
  readonly inputValueAsText: boolean;
}

/**
 * Creates the plan for this sequence of keys, which must not contain `NO_KEY`. If two keys lead to the same leaf, the
 * later one wins.
 */
export function makePlan(
  keys: AttributeKeys,
  sequence: Int32Array,
  count: number,
  options: PlanOptions,
): AttributePlan {
  const root = new Node();
  const nodes = new Map<number, Node>([[0, root]]);
  const nodeOf = (key: number): Node => {
    let node = nodes.get(key);
    if (node === undefined) {
      node = nodeOf(keys.parentOf(key));
      for (const { name, isIndex } of keys.stepsOf(key)) node = node.child(name, isIndex);
      nodes.set(key, node);
    }
    return node;
  };
  for (let place = 0; place < count; place++) {
    const key = sequence[place]!;
    const node = nodeOf(key);
    if (keys.isEmptyObject(key)) node.emptyObjectPlace = place;
    else node.place = place;
  }
  const plan = new PlanWriter(options);
  plan.addMembers(root, '', false);
  return plan.finish();
}

/** A node in the tree of keys. */
class Node {
  /** Index of the leaf that ends here, and of the leaf that says that an empty object does; -1 for none. */
  place = -1;
  emptyObjectPlace = -1;
  members: Map<string, Node> | undefined;
  elements: Map<string, Node> | undefined;

  child(name: string, isIndex: boolean): Node {
    let children = isIndex ? this.elements : this.members;
    if (children === undefined) {
      children = new Map();
      if (isIndex) this.elements = children;
      else this.members = children;
    }
    let child = children.get(name);
    if (child === undefined) {
      child = new Node();
      children.set(name, child);
    }
    return child;
  }

  /** Takes over the content of another node, which wins if both have a leaf. */
  merge(other: Node): void {
    if (other.place >= 0) this.place = other.place;
    if (other.emptyObjectPlace >= 0) this.emptyObjectPlace = other.emptyObjectPlace;
    for (const [name, member] of other.members ?? []) this.child(name, false).merge(member);
    for (const [name, element] of other.elements ?? []) this.child(name, true).merge(element);
  }
}

const OBJECT_CLOSE = 0x7d;
const LIST_CLOSE = 0x5d;

class PlanWriter {
  private readonly options: PlanOptions;
  private readonly place: number[] = [];
  private readonly role: number[] = [];
  private readonly target: number[] = [];
  private readonly step: number[] = [];
  private readonly depth: number[] = [];
  private readonly shared: number[] = [];
  private readonly stepParent: number[] = [];
  private readonly stepEnd: number[] = [];
  private readonly stepElement: number[] = [];
  private readonly stepClose: number[] = [];
  private text = Buffer.alloc(1024);
  private textLength = 0;
  private inputValueOpen = 0x7b;
  private siblingNameBytes = 0;

  /** The path to the current node. */
  private currentStep = -1;
  private currentDepth = 0;
  /** The lowest depth since the last leaf. */
  private lowestDepth = 0;
  private currentTarget = TO_ATTRIBUTES;

  constructor(options: PlanOptions) {
    this.options = options;
  }

  /** Adds the members of an object whose own path is `path`. `isDisplaced` means that a conflict has moved it. */
  addMembers(node: Node, path: string, isDisplaced: boolean): void {
    for (const [name, member] of node.members ?? []) {
      this.addEntry(name, member, path === '' ? name : `${path}.${name}`, isDisplaced);
    }
  }

  private addEntry(name: string, node: Node, path: string, isDisplaced: boolean): void {
    if (node.place >= 0) {
      // The value stays, and its children become siblings with dotted names.
      this.enterMember(name, '', 0);
      this.addLeaf(node.place, path, isDisplaced);
      this.leave();
      for (const [index, element] of node.elements ?? []) node.child(index, false).merge(element);
      this.addSiblings(name, node, path);
    } else if (node.elements !== undefined) {
      this.addList(name, node.elements, path, isDisplaced);
      this.addSiblings(name, node, path);
    } else if (node.members !== undefined) {
      this.enterMember(name, '{', OBJECT_CLOSE);
      this.addContent(path, isDisplaced, '{', () => this.addMembers(node, path, isDisplaced));
      this.leave();
    } else {
      this.enterMember(name, '', 0);
      this.addLeaf(node.emptyObjectPlace, '', isDisplaced);
      this.leave();
    }
  }

  private addSiblings(name: string, node: Node, path: string): void {
    if (node.members === undefined) return;
    const rest = new Node();
    for (const [childName, child] of node.members) {
      const siblingName = `${name}.${childName}`;
      if (this.siblingNameBytes + siblingName.length > SIBLING_NAME_BYTES_MAX) {
        rest.members ??= new Map();
        rest.members.set(childName, child);
        continue;
      }
      this.siblingNameBytes += siblingName.length;
      this.addEntry(siblingName, child, `${path}.${childName}`, true);
    }
    // They share one name: flattened again, they have the same keys except for an empty segment.
    if (rest.members !== undefined) this.addEntry(`${name}.`, rest, path, true);
  }

  private addList(name: string, elements: Map<string, Node>, path: string, isDisplaced: boolean): void {
    this.enterMember(name, '[', LIST_CLOSE);
    this.addContent(path, isDisplaced, '[', () => {
      const inOrder = [...elements].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
      for (const [index, [, element]] of inOrder.entries()) {
        const isEmpty = element.members === undefined;
        this.enter(isEmpty ? '' : '{', index, isEmpty ? 0 : OBJECT_CLOSE);
        if (isEmpty) this.addLeaf(element.emptyObjectPlace, '', isDisplaced);
        else this.addMembers(element, `${path}[]`, isDisplaced);
        this.leave();
      }
    });
    this.leave();
  }

  /** Adds the content of an object or list, which may have its own target. */
  private addContent(path: string, isDisplaced: boolean, open: '{' | '[', add: () => void): void {
    const outer = this.currentTarget;
    if (!isDisplaced && outer === TO_ATTRIBUTES) {
      if (path === 'metadata' && open === '{') this.currentTarget = TO_METADATA;
      if (path === 'input.value' && this.options.inputValueAsText) {
        this.currentTarget = TO_INPUT_VALUE;
        this.inputValueOpen = open.charCodeAt(0);
      }
    }
    add();
    this.currentTarget = outer;
  }

  private addLeaf(place: number, path: string, isDisplaced: boolean): void {
    const role = ROLES.indexOf(path as Role);
    this.place.push(place);
    // A text that a conflict has moved stays among the attributes, because its column would suggest another path.
    this.role.push(role < 0 || (isDisplaced && role <= LAST_TEXT_ROLE) ? 0 : role);
    this.target.push(this.currentTarget);
    this.step.push(this.currentStep);
    this.depth.push(this.currentDepth);
    this.shared.push(this.lowestDepth);
    this.lowestDepth = this.currentDepth;
  }

  private enterMember(name: string, open: string, close: number): void {
    this.enter(`${JSON.stringify(name)}:${open}`, -1, close);
  }

  private enter(text: string, element: number, close: number): void {
    const bytes = 3 * text.length;
    if (this.textLength + bytes > this.text.length) {
      const longer = Buffer.alloc(Math.max(2 * this.text.length, this.textLength + bytes));
      longer.set(this.text);
      this.text = longer;
    }
    this.textLength += this.text.write(text, this.textLength, 'utf8');
    this.stepParent.push(this.currentStep);
    this.stepEnd.push(this.textLength);
    this.stepElement.push(element);
    this.currentStep = this.stepClose.push(close) - 1;
    this.currentDepth++;
  }

  private leave(): void {
    this.currentStep = this.stepParent[this.currentStep]!;
    this.currentDepth--;
    if (this.currentDepth < this.lowestDepth) this.lowestDepth = this.currentDepth;
  }

  finish(): AttributePlan {
    return {
      leafCount: this.place.length,
      place: Int32Array.from(this.place),
      role: Uint8Array.from(this.role),
      target: Uint8Array.from(this.target),
      step: Int32Array.from(this.step),
      depth: Int32Array.from(this.depth),
      shared: Int32Array.from(this.shared),
      stepParent: Int32Array.from(this.stepParent),
      stepStart: Int32Array.from([0, ...this.stepEnd.slice(0, -1)]),
      stepEnd: Int32Array.from(this.stepEnd),
      stepElement: Int32Array.from(this.stepElement),
      stepClose: Uint8Array.from(this.stepClose),
      text: new Uint8Array(this.text.subarray(0, this.textLength)),
      inputValueOpen: this.inputValueOpen,
    };
  }
}
