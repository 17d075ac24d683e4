import { ArgumentError, describeType, InputError } from '../errors.ts';
import { ownValue } from '../own-value.ts';
import { toCanonicalText } from './json/json-value.ts';
import { TRAJECTORY_CALLS_MAX } from './limits.ts';

/**
 * A call of a tool: its name, which fits all arguments, or an object with a name and arguments, which are a JSON value or a text
 * of JSON. The form of OpenAI, with a `function`, is understood.
 */
export type ToolCall =
  | string
  | { readonly name: string; readonly arguments?: unknown }
  | { readonly function: { readonly name: string; readonly arguments?: unknown } };

/**
 * `exact`: these calls and no others. `in_order`: these in this order, with others between them. `any_order`: these in any
 * order, with others between them.
 */
export type TrajectoryMode = 'exact' | 'in_order' | 'any_order';

/**
 * Whether the tool calls of an agent are the expected ones.
 *
 * @throws {InputError} for calls without a name, and lists of more than `TRAJECTORY_CALLS_MAX`
 */
export function matchTrajectory(
  output: readonly ToolCall[],
  expected: readonly ToolCall[],
  { mode = 'exact' }: { readonly mode?: TrajectoryMode } = {},
): boolean {
  if (!Object.hasOwn(MODES, mode)) {
    throw new ArgumentError(`Expected exact, in_order or any_order as mode, received ${String(mode)}.`);
  }
  return MODES[mode](toCalls(output, 'output'), toCalls(expected, 'expected'));
}

interface Call {
  readonly name: string;
  /** Canonical JSON. Undefined: any arguments. */
  readonly arguments: string | undefined;
}

const fits = (wanted: Call, made: Call): boolean =>
  wanted.name === made.name && (wanted.arguments === undefined || wanted.arguments === made.arguments);

const MODES: Readonly<Record<TrajectoryMode, (made: Call[], wanted: Call[]) => boolean>> = {
  exact: (made, wanted) =>
    made.length === wanted.length && wanted.every((each, index) => fits(each, made[index] as Call)),
  in_order(made, wanted) {
    let found = 0;
    for (const call of made) if (found < wanted.length && fits(wanted[found] as Call, call)) found++;
    return found === wanted.length;
  },
  any_order(made, wanted) {
    const left = [...made];
    // Calls with arguments take theirs first: equal calls are interchangeable, and the rest fits by name alone.
    const sorted = [...wanted].sort((a, b) => Number(a.arguments === undefined) - Number(b.arguments === undefined));
    return sorted.every((each) => {
      const index = left.findIndex((call) => fits(each, call));
      if (index >= 0) left.splice(index, 1);
      return index >= 0;
    });
  },
};

function toCalls(calls: unknown, name: string): Call[] {
  if (!Array.isArray(calls)) {
    throw new InputError(`Expected a list of tool calls as '${name}', received ${describeType(calls)}.`);
  }
  if (calls.length > TRAJECTORY_CALLS_MAX) {
    throw new InputError(`Expected at most ${TRAJECTORY_CALLS_MAX} tool calls in '${name}', received ${calls.length}.`);
  }
  return calls.map((call: unknown, index) => toCall(call, `${name}[${index}]`));
}

function toCall(value: unknown, place: string): Call {
  if (typeof value === 'string') return { name: value, arguments: undefined };
  const inner = ownValue(value, 'tool_call') ?? value;
  const call = ownValue(inner, 'function') ?? inner;
  const name = ownValue(call, 'name');
  if (typeof name !== 'string') {
    throw new InputError(
      `Expected a name of a tool, or an object with a name, at '${place}', received ${describeType(value)}.`,
    );
  }
  return { name, arguments: toArguments(ownValue(call, 'arguments')) };
}

function toArguments(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return toCanonicalText(value);
  try {
    return toCanonicalText(JSON.parse(value));
  } catch {
    // A text that is no JSON is compared as a text.
    return JSON.stringify(value);
  }
}
