import { type ExactJson, ExactNumber } from '../../src/base/exact-json.ts';
import { attributeToText } from '../../src/filter/attribute-values.ts';
import type { JsonPath, RunChoice, RunCondition, RunFilter, RunValue } from '../../src/filter/runs/run-filter.ts';
import { all, any, compare, not, type Truth } from '../../src/filter/three-valued.ts';

/** The parts of a compared example that a filter of runs can read. */
export interface ComparedExampleView {
  readonly input: ExactJson;
  readonly reference_output: ExactJson;
  readonly metadata: ExactJson;
  /** Runs of the example by experiment, the base first. */
  readonly runs: readonly (readonly RunView[])[];
}

export interface RunView {
  readonly output: ExactJson;
  readonly error: string | null;
  readonly latencyMs: number;
  readonly evaluations: readonly {
    readonly name: string;
    readonly score: number | null;
    readonly label: string | null;
    readonly explanation: string | null;
  }[];
}

/** Whether an example matches. A store's translation of the filter must select the same examples. */
export function matchesExample(filter: RunFilter, example: ComparedExampleView): boolean {
  const choices = (index: number, runs: ReadonlyMap<RunChoice, RunView | undefined>): boolean => {
    const choice = filter.runs[index];
    if (choice === undefined) return evaluate(filter.condition, { example, runs }) === true;
    const places = choice === 'any' ? example.runs : [example.runs[choice] ?? []];
    const rows = places.flatMap((list): readonly (RunView | undefined)[] => (list.length > 0 ? list : [undefined]));
    return rows.some((row) => choices(index + 1, new Map(runs).set(choice, row)));
  };
  return choices(0, new Map());
}

interface Context {
  readonly example: ComparedExampleView;
  /** The chosen runs. Undefined if the experiment has none. */
  readonly runs: ReadonlyMap<RunChoice, RunView | undefined>;
}

function evaluate(condition: RunCondition, context: Context): Truth {
  switch (condition.kind) {
    case 'and':
      return all(condition.operands, (operand) => evaluate(operand, context));
    case 'or':
      return any(condition.operands, (operand) => evaluate(operand, context));
    case 'not':
      return not(evaluate(condition.operand, context));
    case 'presence':
      return (readValue(condition.value, context) !== null) === condition.isPresent;
    case 'containment': {
      const part = readValue(condition.part, context);
      const whole = readValue(condition.whole, context);
      if (part === null || whole === null) return null;
      return attributeToText(whole).includes(attributeToText(part)) !== condition.isNegated;
    }
    case 'equality': {
      const left = readValue(condition.left, context);
      const right = readValue(condition.right, context);
      return left === null || right === null ? null : areEqual(left, right) === (condition.operator === '==');
    }
    case 'order': {
      const left = toDouble(readValue(condition.left, context));
      const right = toDouble(readValue(condition.right, context));
      const areTexts = typeof left === 'string' && typeof right === 'string';
      const areNumbers = typeof left === 'number' && typeof right === 'number';
      return areTexts || areNumbers ? compare(condition.operator, left, right) : null;
    }
  }
}

/** Null for a missing value. */
function readValue(value: RunValue, context: Context): ExactJson {
  switch (value.kind) {
    case 'literal':
      return value.value;
    case 'example':
      return valueAt(context.example[value.field], value.path);
    case 'output':
      return valueAt(context.runs.get(value.run)?.output ?? null, value.path);
    case 'error':
      return context.runs.get(value.run)?.error ?? null;
    case 'latency':
      return context.runs.get(value.run)?.latencyMs ?? null;
    case 'evaluation': {
      const evaluations = context.runs.get(value.run)?.evaluations ?? [];
      return evaluations.find(({ name }) => name === value.name)?.[value.member] ?? null;
    }
    case 'negation': {
      const operand = toDouble(readValue(value.operand, context));
      return typeof operand === 'number' ? -operand : null;
    }
  }
}

function valueAt(json: ExactJson, path: JsonPath): ExactJson {
  let value: ExactJson | undefined = json;
  for (const step of path) {
    if (Array.isArray(value)) value = typeof step === 'number' ? value.at(step) : undefined;
    else if (value !== null && typeof value === 'object' && !(value instanceof ExactNumber)) {
      value = typeof step === 'string' && Object.hasOwn(value, step) ? value[step] : undefined;
    } else return null;
  }
  return value ?? null;
}

/** Compares type and content: numbers by value, objects regardless of the order of keys. */
function areEqual(left: ExactJson, right: ExactJson): boolean {
  if (left instanceof ExactNumber || right instanceof ExactNumber) return toDouble(left) === toDouble(right);
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && areEqual(entry(left, key), entry(right, key)))
  );
}

const toDouble = (value: ExactJson): ExactJson => (value instanceof ExactNumber ? Number(value.text) : value);
const entry = (json: object, key: string): ExactJson => (json as Readonly<Record<string, ExactJson>>)[key] ?? null;
