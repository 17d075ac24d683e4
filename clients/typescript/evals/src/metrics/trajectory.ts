import { jsonDistance } from './json/json-distance.ts';
import { TRAJECTORY_CALLS_MAX } from './limits.ts';
import { describeType, MetricError } from './metric-error.ts';

/** A call of a tool. Arguments are compared as JSON values; a text of JSON is parsed. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: unknown;
}

/**
 * `exact`: the same calls in the same order. `in_order`: the expected calls in their order, with others between them.
 * `any_order`: the expected calls in any order, with others between them.
 */
export type TrajectoryMode = 'exact' | 'in_order' | 'any_order';

export interface TrajectoryOptions {
  /** `exact` by default. */
  readonly mode?: TrajectoryMode;
  /** Whether arguments count. True by default. */
  readonly compareArguments?: boolean;
}

export interface TrajectoryMatch {
  readonly isMatch: boolean;
  /** Share of the expected calls that were found in this mode. 1 without any. */
  readonly recall: number;
  /** Share of the calls that were expected. 1 without any. */
  readonly precision: number;
  readonly matched: number;
}

/** Compares the tool calls of an agent with the expected ones. */
export function matchTrajectory(
  output: readonly ToolCall[],
  expected: readonly ToolCall[],
  { mode = 'exact', compareArguments = true }: TrajectoryOptions = {},
): TrajectoryMatch {
  if (!Object.hasOwn(COUNTERS, mode)) {
    throw new MetricError(`Expected exact, in_order or any_order as mode, received ${String(mode)}.`);
  }
  const [calls, wanted] = [toCalls(output, 'output'), toCalls(expected, 'expected')];
  const isSame = (a: Call, b: Call) =>
    a.name === b.name && (!compareArguments || jsonDistance(a.arguments, b.arguments) === 0);
  const matched = COUNTERS[mode](calls, wanted, isSame);
  const isMatch = matched === wanted.length && (mode !== 'exact' || calls.length === wanted.length);
  return {
    isMatch,
    recall: wanted.length === 0 ? 1 : matched / wanted.length,
    precision: calls.length === 0 ? 1 : matched / calls.length,
    matched,
  };
}

interface Call {
  readonly name: string;
  readonly arguments: unknown;
}

type IsSame = (first: Call, second: Call) => boolean;

/** Number of expected calls that occur, by mode. */
const COUNTERS: Readonly<Record<TrajectoryMode, (calls: Call[], wanted: Call[], isSame: IsSame) => number>> = {
  exact: (calls, wanted, isSame) => wanted.filter((each, index) => index < calls.length && isSame(calls[index]!, each)).length,
  in_order: countInOrder,
  any_order(calls, wanted, isSame) {
    const left = [...calls];
    let matched = 0;
    for (const each of wanted) {
      const index = left.findIndex((call) => isSame(call, each));
      if (index < 0) continue;
      left.splice(index, 1);
      matched++;
    }
    return matched;
  },
};

/** Length of the longest common subsequence: equality of calls is no hash, so every pair is compared once. */
function countInOrder(calls: Call[], wanted: Call[], isSame: IsSame): number {
  let previous = new Uint32Array(wanted.length + 1);
  for (const call of calls) {
    const current = new Uint32Array(wanted.length + 1);
    for (const [index, each] of wanted.entries()) {
      current[index + 1] = isSame(call, each) ? previous[index]! + 1 : Math.max(previous[index + 1]!, current[index]!);
    }
    previous = current;
  }
  return previous[wanted.length]!;
}

function toCalls(calls: unknown, name: string): Call[] {
  if (!Array.isArray(calls)) throw new MetricError(`Expected a list of tool calls as '${name}', received ${describeType(calls)}.`);
  if (calls.length > TRAJECTORY_CALLS_MAX) {
    throw new MetricError(`Expected at most ${TRAJECTORY_CALLS_MAX} tool calls in '${name}', received ${calls.length}.`);
  }
  return calls.map((call: ToolCall | null, index) => {
    if (typeof call?.name !== 'string') {
      throw new MetricError(`Expected a tool call with a text as name at '${name}[${index}]', received ${describeType(call)}.`);
    }
    return { name: call.name, arguments: toValue(call.arguments) };
  });
}

function toValue(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
