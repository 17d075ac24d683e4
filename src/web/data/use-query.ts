import { useCallback, useEffect, useRef, useState } from 'react';
import { takeEarly } from './early-answers.ts';
import type { Operation } from './operation.ts';
import { RequestFailure, send } from './request.ts';
import { useRetries } from './use-retries.ts';

export interface QueryResult<Data> {
  /** The newest answer; while another is on its way, the one before. */
  readonly data: Data | undefined;
  /**
   * Reason why there is no data. Data that could not be read again stays, and the page says that it may be out of date.
   */
  readonly failure: RequestFailure | undefined;
  readonly isLoading: boolean;
  /** Whether `data` is of other variables than those asked for now. */
  readonly isStale: boolean;
  /** Asks again, and keeps what there is until the answer comes. */
  refetch(): void;
  /** Replaces the data with a newer result of the same query. */
  replace(data: Data): void;
}

interface Kept {
  readonly key: string;
  readonly data: unknown;
}

/** Answers by operation and variables, so that going back shows at once what was there. */
const kept = new Map<string, unknown>();
const KEPT_COUNT_MAX = 60;

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, data);
  if (kept.size > KEPT_COUNT_MAX) kept.delete(kept.keys().next().value!);
}

/** After a change on the server: what was read before holds no more. */
export function forgetAnswers(): void {
  kept.clear();
}

/** Which question it is. */
export const queryKey = <Data, Variables>({ name }: Operation<Data, Variables>, variables: Variables): string =>
  `${name} ${JSON.stringify(variables)}`;

/** Asks the server, again whenever the variables change. `variables` undefined asks nothing. */
export function useQuery<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables | undefined,
  options: { readonly keeps?: boolean } = {},
): QueryResult<Data> {
  const keeps = options.keeps ?? true;
  const key = variables === undefined ? undefined : queryKey(operation, variables);
  const [answer, setAnswer] = useState<Kept | undefined>(() =>
    key !== undefined && kept.has(key) ? { key, data: kept.get(key) } : undefined,
  );
  const [failed, setFailed] = useState<{ readonly key: string; readonly failure: RequestFailure }>();
  const [attempt, setAttempt] = useState(0);
  const [isLoading, setLoading] = useState(key !== undefined);
  const asked = useRef(variables);
  asked.current = variables;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the variables, `attempt` for asking again
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    setLoading(true);
    if (kept.has(key)) setAnswer({ key, data: kept.get(key) });
    const answer = takeEarly<Data>(key) ?? send(operation, asked.current as Variables, controller.signal);
    answer.then(
      (data) => {
        if (controller.signal.aborted) return;
        if (keeps) keep(key, data);
        setAnswer({ key, data });
        setFailed(undefined);
        setLoading(false);
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setFailed({ key, failure: toFailure(error) });
        setLoading(false);
      },
    );
    return () => controller.abort();
  }, [key, attempt]);

  const refetch = useCallback(() => setAttempt((count) => count + 1), []);
  const replace = useCallback(
    (data: Data) => {
      if (key === undefined) return;
      if (keeps) keep(key, data);
      setAnswer({ key, data });
      setFailed(undefined);
    },
    [key, keeps],
  );
  const failure = failed?.key === key ? failed?.failure : undefined;
  // During an outage, existing data stays, even if it belongs to another range.
  const hasData = answer !== undefined && (answer.key === key || failure?.isOutage === true);
  useRetries(failure, hasData, refetch);
  return {
    data: answer?.data as Data | undefined,
    failure: hasData && failure?.kind !== 'notFound' ? undefined : failure,
    isLoading,
    isStale: answer !== undefined && answer.key !== key,
    refetch,
    replace,
  };
}

export const toFailure = (error: unknown): RequestFailure =>
  error instanceof RequestFailure ? error : new RequestFailure('refused', String(error));
