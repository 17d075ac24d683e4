import { useEffect, useState } from 'react';
import type { JsonObject } from '../../../../semconv/read-open-inference.ts';
import { toVersionInput } from '../../../components/prompt/variant/version-input.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import { type Case, missingIn, valuesOf } from '../state/cases.ts';
import type { Draft } from '../state/draft.ts';
import type { Column } from '../use-columns.ts';
import { type PlaygroundEstimateVariables, playgroundEstimate } from './generated/estimate.ts';

interface RunEstimateProps {
  readonly draft: Draft;
  readonly columns: readonly Column[];
  readonly cases: readonly Case[];
  /** Whether a run has begun. Its progress then replaces the estimate. */
  readonly isRunning: boolean;
}

type Input = PlaygroundEstimateVariables['input'];

/** Delay after the last key. */
const PAUSE_MS = 800;
/** Cases whose variables stand for all. */
const SAMPLE_COUNT = 20;

/** What a run of all variants is likely to cost and take, before it starts. */
export function RunEstimate(props: RunEstimateProps) {
  const input = props.isRunning ? undefined : toInput(props);
  const text = input === undefined ? undefined : JSON.stringify(input);
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data } = useQuery(
    playgroundEstimate,
    settled === undefined || settled !== text ? undefined : { input: JSON.parse(settled) as Input },
    { keeps: false },
  );
  if (props.isRunning || text === undefined || !data) return EMPTY;
  const { total, sampledCaseCount, caseCount, evaluators } = data.estimateRun;
  if (total.callCount === 0) return EMPTY;
  const evaluated =
    evaluators.callCount === 0 ? '' : `, of which ${formatCount(evaluators.callCount)} are of evaluators`;
  return (
    <span
      className="muted run-estimate"
      title={`Estimated from ${formatCount(sampledCaseCount)} of ${formatCount(caseCount)} cases by the prices of the models${evaluated}`}
    >
      ≈ {formatCount(total.callCount)} {total.callCount === 1 ? 'call' : 'calls'}
      {total.cost ? `, ${range(total.cost, formatSmallCost)}` : ', no price'}, {range(total.durationMs, formatLatency)}
    </span>
  );
}

/** On a phone it keeps the line of the estimate, so that the grid does not move when one arrives. */
const EMPTY = <span className="run-estimate" />;

/** One value if both ends read the same. */
function range(of: { readonly low: number; readonly high: number }, format: (value: number) => string): string {
  const [low, high] = [format(of.low), format(of.high)];
  return low === high ? low : `${low} to ${high}`;
}

/** Undefined if nothing can run. */
function toInput({ draft: { source, settings }, columns, cases }: RunEstimateProps): Input | undefined {
  const runnable = columns.filter(({ problems }) => problems.length === 0);
  if (runnable.length === 0 || cases.length === 0) return undefined;
  const shared = {
    promptVersions: runnable.map(({ variant }) => toVersionInput(variant)),
    repetitions: settings.repetitions,
  };
  if (source.type === 'dataset') {
    const input: JsonObject = {
      ...shared,
      datasetId: source.datasetId,
      ...(source.splitIds.length > 0 && { splitIds: source.splitIds }),
      templateVariablesPath: settings.variablesPath,
      ...(settings.messagesPath.trim() !== '' && { appendedMessagesPath: settings.messagesPath.trim() }),
      maxConcurrency: settings.concurrency,
      evaluatorIds: settings.evaluatorIds,
    };
    return input as unknown as Input;
  }
  const [{ variables }] = runnable as [Column];
  const ready = cases.filter((each) => missingIn(each, variables, settings.variablesPath).length === 0);
  if (ready.length === 0) return undefined;
  const input: JsonObject = {
    ...shared,
    variables: ready.slice(0, SAMPLE_COUNT).map((each) => valuesOf(each, variables, settings.variablesPath)),
    caseCount: ready.length,
  };
  return input as unknown as Input;
}
