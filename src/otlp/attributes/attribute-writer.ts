// biome-ignore-all lint/style/noNonNullAssertion: a plan is made for these leaves, and leaves and roles have an entry in all arrays.
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { toPythonText } from '../../base/python-text.ts';
import { SPAN_KINDS } from '../../semconv/span-kinds.ts';
import { LEAF_BYTES_MAX } from '../../model/limits/spans.ts';
import type { SpanColumnsBuilder } from '../../columns/span-columns-builder.ts';
import { TEXT_ATTRIBUTES } from '../../columns/text-attributes.ts';
import type { NullableTextColumnBuilder, TextColumnBuilder } from '../../columns/text-column-builder.ts';
import { decodeJsonString } from '../json/json-strings.ts';
import type { WireReader } from '../protobuf/wire-reader.ts';
import { appendLeaf, readBool, toBase64 } from './append-value.ts';
import {
  type AttributeLeaves,
  LEAF_ARRAY,
  LEAF_BOOL,
  LEAF_BYTES,
  LEAF_DOUBLE,
  LEAF_INT,
  LEAF_INTEGER,
  LEAF_JSON,
  LEAF_KVLIST,
  LEAF_TEXT,
} from './attribute-leaves.ts';
import {
  type AttributePlan,
  LAST_TEXT_ROLE,
  ROLES,
  roleOf,
  TARGET_DEPTH,
  TO_ATTRIBUTES,
  TO_METADATA,
} from './attribute-plan.ts';
import { JsonOutput } from './json-output.ts';
import { integerOfNumber, integerOfText } from './token-count.ts';

/** Wire size from which a list or object counts as a long leaf before it is written. */
const LONG_WIRE_BYTES = 4 * LEAF_BYTES_MAX;
/** A text of at most this many bytes is a short leaf even if every byte is escaped. */
const SURELY_SMALL_TEXT_BYTES = Math.floor((LEAF_BYTES_MAX - 2) / 6);

const OPEN_OBJECT = 0x7b;

const INPUT_VALUE = roleOf('input.value');
const INPUT_MIME_TYPE = roleOf('input.mime_type');
const SESSION_ID = roleOf('session.id');
const SPAN_KIND = roleOf('openinference.span.kind');
const TOKENS_PROMPT = roleOf('llm.token_count.prompt');
const TOKENS_COMPLETION = roleOf('llm.token_count.completion');

const SPAN_KIND_LLM = SPAN_KINDS.indexOf('LLM');
const SPAN_KIND_EMBEDDING = SPAN_KINDS.indexOf('EMBEDDING');
const SPAN_KIND_BYTES = SPAN_KINDS.map((kind) => Buffer.from(kind));
const APPLICATION_JSON = Buffer.from('application/json');

export interface AttributeWriterOptions {
  /** Whether an `input.value` that is neither empty nor text becomes JSON text, with its MIME type. */
  readonly inputValueAsText: boolean;
}

/** Writes the leaves of a span into the columns that derive from attributes. */
export class AttributeWriter {
  private readonly options: AttributeWriterOptions;
  private readonly builder: SpanColumnsBuilder;
  private readonly small: JsonOutput;
  private readonly long: JsonOutput;
  private readonly metadata: JsonOutput;
  private readonly input: JsonOutput;
  /** The leaf for the column of each text role, or -1. */
  private readonly leafOfRole = new Int32Array(ROLES.length);
  /** In the order of `ROLES`. */
  private readonly columnOfRole: readonly (NullableTextColumnBuilder | undefined)[];

  constructor(builder: SpanColumnsBuilder, options: AttributeWriterOptions) {
    this.builder = builder;
    this.options = options;
    this.small = new JsonOutput(builder.attributes, 0);
    this.long = new JsonOutput(builder.longAttributes, 0);
    this.metadata = new JsonOutput(builder.metadata, TARGET_DEPTH[TO_METADATA]);
    this.input = new JsonOutput(builder.inputValue, TARGET_DEPTH[2]);
    this.columnOfRole = [
      undefined,
      builder.inputValue,
      builder.outputValue,
      ...TEXT_ATTRIBUTES.map(({ field }) => builder.textAttributes[field]),
    ];
  }

  /** Writes row `builder.rowCount`. */
  write(plan: AttributePlan, leaves: AttributeLeaves, wire: WireReader): void {
    const { small, long } = this;
    small.lastStep = -1;
    long.lastStep = -1;
    this.metadata.lastStep = -1;
    this.input.lastStep = -1;
    this.leafOfRole.fill(-1);
    for (let i = 0; i < plan.leafCount; i++) {
      const shared = plan.shared[i]!;
      if (shared < small.shared) small.shared = shared;
      if (shared < long.shared) long.shared = shared;
      const leaf = plan.place[i]!;
      const role = plan.role[i]!;
      if (role !== 0 && this.takeRole(role, leaf, leaves, wire)) continue;
      const target = plan.target[i]!;
      if (target === TO_ATTRIBUTES) this.writeBySize(plan, i, leaf, leaves, wire);
      else this.writeTo(target === TO_METADATA ? this.metadata : this.input, plan, i, leaf, leaves, wire);
    }
    this.finishOutputs(plan);
    this.writeRoles(leaves, wire);
  }

  private writeBySize(plan: AttributePlan, i: number, leaf: number, leaves: AttributeLeaves, wire: WireReader): void {
    const kind = leaves.kind[leaf]!;
    const bytes = leaves.end[leaf]! - leaves.start[leaf]!;
    const { small, long } = this;
    if (kind === LEAF_TEXT) {
      if (bytes <= SURELY_SMALL_TEXT_BYTES) {
        this.writeTo(small, plan, i, leaf, leaves, wire);
        return;
      }
      if (bytes > LEAF_BYTES_MAX - 2) {
        this.writeTo(long, plan, i, leaf, leaves, wire);
        return;
      }
    }
    // The JSON size is known only after writing. The leaf is written to the likelier output first, and again to the
    // other one if that was wrong.
    const isLikelyLong = bytes > LONG_WIRE_BYTES;
    const likely = isLikelyLong ? long : small;
    const { lastStep, lastDepth, shared, column } = likely;
    const before = column.length;
    this.writeTo(likely, plan, i, leaf, leaves, wire);
    const isLong = column.length - this.valueStart > LEAF_BYTES_MAX;
    if (isLong === isLikelyLong) return;
    likely.lastStep = lastStep;
    likely.lastDepth = lastDepth;
    likely.shared = shared;
    column.length = before;
    this.writeTo(isLong ? long : small, plan, i, leaf, leaves, wire);
  }

  private valueStart = 0;

  private writeTo(
    output: JsonOutput,
    plan: AttributePlan,
    i: number,
    leaf: number,
    leaves: AttributeLeaves,
    wire: WireReader,
  ): void {
    // Leaves of these two targets are consecutive, so the plan says what this leaf shares with the previous one.
    if (output === this.metadata || output === this.input) output.shared = plan.shared[i]!;
    output.openLeaf(plan, i, output === this.input ? plan.inputValueOpen : OPEN_OBJECT);
    this.valueStart = output.column.length;
    appendLeaf(output.column, wire, leaves, leaf);
  }

  private finishOutputs(plan: AttributePlan): void {
    const { builder } = this;
    const row = builder.rowCount;
    if (!this.small.finish(plan, OPEN_OBJECT)) {
      builder.attributes.append(EMPTY_OBJECT, 0, 2);
    }
    if (this.long.finish(plan, OPEN_OBJECT)) builder.longAttributes.present[row] = 1;
    if (this.metadata.finish(plan, OPEN_OBJECT)) builder.metadata.present[row] = 1;
    if (this.input.finish(plan, plan.inputValueOpen)) {
      builder.inputValue.present[row] = 1;
      this.leafOfRole[INPUT_MIME_TYPE] = AS_JSON;
    }
  }

  /** Whether a leaf is written to its own column instead of the attributes. */
  private takeRole(role: number, leaf: number, leaves: AttributeLeaves, wire: WireReader): boolean {
    if (role === SPAN_KIND) return this.takeSpanKind(leaf, leaves, wire);
    this.leafOfRole[role] = leaf;
    if (role > LAST_TEXT_ROLE) return false;
    if (isText(leaf, leaves, wire)) return true;
    if (role === INPUT_VALUE && this.options.inputValueAsText && !isEmptyValue(leaf, leaves, wire)) return true;
    // Any value may name a session: it is shown as sent, and its text identifies the session.
    if (role !== SESSION_ID) this.leafOfRole[role] = -1;
    return false;
  }

  private takeSpanKind(leaf: number, leaves: AttributeLeaves, wire: WireReader): boolean {
    if (!isText(leaf, leaves, wire)) return false;
    const { spanKind, rowCount } = this.builder;
    if (leaves.kind[leaf] === LEAF_TEXT) {
      const start = leaves.start[leaf]!;
      const length = leaves.end[leaf]! - start;
      for (let kind = 1; kind < SPAN_KIND_BYTES.length; kind++) {
        const name = SPAN_KIND_BYTES[kind]!;
        if (name.length !== length || name[0] !== wire.bytes[start]) continue;
        let i = 1;
        while (i < length && name[i] === wire.bytes[start + i]) i++;
        if (i < length) continue;
        spanKind[rowCount] = kind;
        return true;
      }
    }
    const text = textOf(leaf, leaves, wire);
    const upper = text.toUpperCase();
    const kind = (SPAN_KINDS as readonly string[]).indexOf(upper);
    spanKind[rowCount] = Math.max(0, kind);
    return kind > 0 && text === upper;
  }

  private writeRoles(leaves: AttributeLeaves, wire: WireReader): void {
    const { builder, leafOfRole } = this;
    const row = builder.rowCount;
    const input = leafOfRole[INPUT_VALUE]!;
    if (input >= 0 && !isText(input, leaves, wire)) leafOfRole[INPUT_MIME_TYPE] = AS_JSON;
    for (let role = INPUT_VALUE; role <= LAST_TEXT_ROLE; role++) {
      const leaf = leafOfRole[role]!;
      if (leaf === -1) continue;
      const column = this.columnOfRole[role]!;
      column.present[row] = 1;
      if (leaf === AS_JSON) column.append(APPLICATION_JSON, 0, APPLICATION_JSON.length);
      else if (role === SESSION_ID && !isText(leaf, leaves, wire)) appendPythonText(column, leaf, leaves, wire);
      else appendTextOf(column, leaf, leaves, wire);
    }
    // An embedding that reports no tokens has none, while a call of a model without a report has 0.
    const kind = builder.spanKind[row];
    const isCounted = kind === SPAN_KIND_LLM || (kind === SPAN_KIND_EMBEDDING && leafOfRole[TOKENS_PROMPT]! >= 0);
    if (!isCounted) return;
    builder.hasTokens[row] = 1;
    this.writeTokens(builder.tokensPrompt, leafOfRole[TOKENS_PROMPT]!, leaves, wire);
    this.writeTokens(builder.tokensCompletion, leafOfRole[TOKENS_COMPLETION]!, leaves, wire);
  }

  private writeTokens(words: Uint32Array, leaf: number, leaves: AttributeLeaves, wire: WireReader): void {
    if (leaf < 0) return;
    const at = 2 * this.builder.rowCount;
    if (leaves.kind[leaf] === LEAF_INT) {
      wire.varint(leaves.start[leaf]!);
      words[at] = wire.low;
      words[at + 1] = wire.high;
      return;
    }
    const value = integerOf(leaf, leaves, wire) ?? 0n;
    words[at] = Number(BigInt.asUintN(32, value));
    words[at + 1] = Number(BigInt.asUintN(32, value >> 32n));
  }
}

/** In place of a leaf: the MIME type of an input that became JSON text. */
const AS_JSON = -2;
const EMPTY_OBJECT = Buffer.from('{}');

const isJsonString = (leaf: number, leaves: AttributeLeaves, wire: WireReader): boolean =>
  leaves.kind[leaf] === LEAF_JSON && wire.bytes[leaves.start[leaf]!] === 0x22;

const isText = (leaf: number, leaves: AttributeLeaves, wire: WireReader): boolean =>
  leaves.kind[leaf] === LEAF_TEXT || leaves.kind[leaf] === LEAF_BYTES || isJsonString(leaf, leaves, wire);

function isNumberOrBoolean(leaf: number, leaves: AttributeLeaves, wire: WireReader): boolean {
  const kind = leaves.kind[leaf]!;
  if (kind === LEAF_INT || kind === LEAF_DOUBLE || kind === LEAF_BOOL || kind === LEAF_INTEGER) return true;
  if (kind !== LEAF_JSON) return false;
  const sign = wire.bytes[leaves.start[leaf]!]!;
  return sign !== 0x22 && sign !== 0x5b && sign !== 0x7b;
}

/** Whether a value that is not text counts as empty: zero, false, an empty list or an empty object. */
function isEmptyValue(leaf: number, leaves: AttributeLeaves, wire: WireReader): boolean {
  const start = leaves.start[leaf]!;
  switch (leaves.kind[leaf]) {
    case LEAF_INT:
    case LEAF_BOOL:
      return !readBool(wire, start);
    case LEAF_DOUBLE:
      return wire.view.getFloat64(start, true) === 0;
    case LEAF_ARRAY:
      return leaves.end[leaf] === start;
    default:
      return leaves.kind[leaf] !== LEAF_JSON && leaves.kind[leaf] !== LEAF_KVLIST;
  }
}

function textOf(leaf: number, leaves: AttributeLeaves, wire: WireReader): string {
  const start = leaves.start[leaf]!;
  const end = leaves.end[leaf]!;
  if (leaves.kind[leaf] === LEAF_BYTES) return toBase64(wire.bytes, start, end);
  const utf8 =
    leaves.kind[leaf] === LEAF_TEXT
      ? wire.bytes.subarray(start, end)
      : decodeJsonString(wire.bytes, start + 1, end - 1);
  return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength).toString('utf8');
}

/** Appends a text unchanged, and any other value as JSON text. */
function appendTextOf(column: TextColumnBuilder, leaf: number, leaves: AttributeLeaves, wire: WireReader): void {
  const start = leaves.start[leaf]!;
  const end = leaves.end[leaf]!;
  if (leaves.kind[leaf] === LEAF_TEXT) column.append(wire.bytes, start, end);
  else if (leaves.kind[leaf] === LEAF_BYTES) column.appendString(toBase64(wire.bytes, start, end));
  else if (isJsonString(leaf, leaves, wire)) {
    const decoded = decodeJsonString(wire.bytes, start + 1, end - 1);
    column.append(decoded, 0, decoded.length);
  } else appendLeaf(column, wire, leaves, leaf);
}

/** Appends a value as the `str` of Python prints it, which is the session ID that Python servers make of it. */
function appendPythonText(column: TextColumnBuilder, leaf: number, leaves: AttributeLeaves, wire: WireReader): void {
  const before = column.length;
  appendLeaf(column, wire, leaves, leaf);
  const json = Buffer.from(column.utf8.subarray(before, column.length)).toString('utf8');
  column.length = before;
  column.appendString(toPythonText(parseExactJson(json, { depthMax: Number.POSITIVE_INFINITY })));
}

/** The integer in a text or number, or undefined. */
function integerOf(leaf: number, leaves: AttributeLeaves, wire: WireReader): bigint | undefined {
  const start = leaves.start[leaf]!;
  const end = leaves.end[leaf]!;
  switch (leaves.kind[leaf]) {
    case LEAF_INTEGER:
      return leaves.integers[start]!;
    case LEAF_DOUBLE:
      return integerOfNumber(wire.view.getFloat64(start, true));
    case LEAF_TEXT:
      return integerOfText(textOf(leaf, leaves, wire));
    case LEAF_JSON: {
      const text = Buffer.from(wire.bytes.subarray(start, end)).toString('utf8');
      if (text.startsWith('"')) return integerOfText(textOf(leaf, leaves, wire));
      return integerOfText(text) ?? (isNumberOrBoolean(leaf, leaves, wire) ? integerOfNumber(Number(text)) : undefined);
    }
    default:
      return undefined;
  }
}
