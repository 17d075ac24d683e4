import { useEffect, useState } from 'react';
import type { Json } from '../../../../semconv/read-open-inference.ts';
import { type RequestFailure, send, toFailure } from '../../../data/request.ts';
import { type PlaygroundExamplesData, playgroundExamples, playgroundSpans } from '../generated/playground.ts';
import type { Case, CaseSource } from '../state/cases.ts';
import { valuesOfSpan } from '../state/span-values.ts';

export interface LoadedCases {
  readonly cases: readonly Case[];
  readonly isComplete: boolean;
  readonly failure: RequestFailure | undefined;
  readonly retry: () => void;
}

/** Examples per request. */
const PAGE_COUNT = 500;
export const SPAN_COUNT_MAX = 200;
const NO_CASES: readonly Case[] = [];

/**
 * Rows of the grid. Examples load in pages, so that the first ones can be read while the others load.
 *
 * @param versionId Version whose template recovers the variables that spans lack.
 */
export function useCases(source: CaseSource, versionId: string | undefined): LoadedCases {
  const [round, setRound] = useState(0);
  const version = source.type === 'spans' ? versionId : undefined;
  const key = source.type === 'typed' ? 'typed' : `${JSON.stringify(source)}#${version}#${round}`;
  const [loaded, setLoaded] = useState<LoadedState>(LOADING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the source
  useEffect(() => {
    if (source.type === 'typed' || !isChosen(source)) return;
    const aborting = new AbortController();
    const { signal } = aborting;
    setLoaded({ ...LOADING, key });
    const load = async () => {
      const cases: Case[] = [];
      for await (const page of readPages(source, version, signal)) {
        cases.push(...page);
        setLoaded({ key, cases: [...cases], isComplete: false, failure: undefined });
      }
      setLoaded({ key, cases, isComplete: true, failure: undefined });
    };
    load().catch((error: unknown) => {
      if (!signal.aborted) setLoaded((before) => ({ ...before, key, failure: toFailure(error) }));
    });
    return () => aborting.abort();
  }, [key]);
  const retry = () => setRound(round + 1);
  if (source.type === 'typed') {
    return { cases: typedCases(source.rows), isComplete: true, failure: undefined, retry };
  }
  if (!isChosen(source)) return { cases: NO_CASES, isComplete: true, failure: undefined, retry };
  return { ...(loaded.key === key ? loaded : LOADING), retry };
}

/** Whether the user has chosen the dataset or the project. */
const isChosen = (source: Exclude<CaseSource, { type: 'typed' }>): boolean =>
  (source.type === 'dataset' ? source.datasetId : source.projectId) !== '';

type LoadedState = Omit<LoadedCases, 'retry'> & { readonly key: string };
const LOADING: LoadedState = { key: '', cases: NO_CASES, isComplete: false, failure: undefined };

/** Rows keep their identity, so that unchanged ones are not rendered again. */
const typed = new WeakMap<object, Case>();
const typedCases = (rows: Extract<CaseSource, { readonly type: 'typed' }>['rows']): readonly Case[] =>
  rows.map((row) => {
    const known = typed.get(row) ?? { type: 'typed', ...row };
    typed.set(row, known);
    return known;
  });

async function* readPages(
  source: Exclude<CaseSource, { type: 'typed' }>,
  versionId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Case[]> {
  if (source.type === 'spans') {
    const { projectId, filter, count } = source;
    const { node } = await send(
      playgroundSpans,
      {
        id: projectId,
        first: Math.min(count, SPAN_COUNT_MAX),
        filter: filter === '' ? null : filter,
        promptVersionId: versionId ?? null,
      },
      signal,
    );
    if (node.__typename !== 'Project') return;
    yield node.spans.edges.map(({ node: span }) => ({
      type: 'span',
      id: span.id,
      name: span.name,
      projectId,
      traceId: span.context.traceId,
      spanId: span.spanId,
      values: valuesOfSpan(span),
    }));
    return;
  }
  for (let after: string | null = null; ; ) {
    const data: PlaygroundExamplesData = await send(
      playgroundExamples,
      {
        id: source.datasetId,
        first: PAGE_COUNT,
        after,
        splitIds: source.splitIds.length === 0 ? null : source.splitIds,
      },
      signal,
    );
    const { node } = data;
    if (node.__typename !== 'Dataset') return;
    const { edges, pageInfo } = node.examples;
    yield edges.map(({ node: example }) => ({
      type: 'example',
      id: example.id,
      externalId: example.externalId,
      input: example.revision.input as Json,
      reference: example.revision.output as Json,
      metadata: example.revision.metadata as Json,
      splits: example.datasetSplits,
    }));
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return;
    after = pageInfo.endCursor;
  }
}
