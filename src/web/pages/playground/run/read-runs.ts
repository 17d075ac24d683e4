import { isObject, type Json, list, readMessages } from '../../../../semconv/read-open-inference.ts';
import { send } from '../../../data/request.ts';
import { type PlaygroundRunsData, playgroundRuns } from '../generated/runs.ts';
import { type Cell, type CellOutput, finishedCell } from './cell.ts';

/** A stored run as a cell of the grid. */
export interface StoredRun {
  readonly caseId: string;
  readonly repetition: number;
  readonly cell: Cell;
}

type RunNode = Extract<
  PlaygroundRunsData['node'],
  { readonly __typename: 'Experiment' }
>['runs']['edges'][number]['node'];

/** Reads the runs of an experiment in pages. */
export async function* readRuns(
  experimentId: string,
  fingerprint: string,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredRun[]> {
  for (let after: string | null = null; ; ) {
    const data: PlaygroundRunsData = await send(playgroundRuns, { id: experimentId, after }, signal);
    const { node } = data;
    if (node.__typename !== 'Experiment') return;
    const { edges, pageInfo } = node.runs;
    yield edges.map((edge) => toStoredRun(edge.node, fingerprint));
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return;
    after = pageInfo.endCursor;
  }
}

function toStoredRun(run: RunNode, fingerprint: string): StoredRun {
  const { prompt, completion, total } = run.costSummary;
  return {
    caseId: run.example.id,
    repetition: run.repetitionNumber,
    cell: finishedCell(fingerprint, {
      status: run.error === null ? 'done' : 'error',
      ...toOutput(run.output as Json),
      error: run.error ?? undefined,
      scores: run.annotations.edges.map(({ node }) => node),
      annotations: run.personAnnotations.filter(({ isMine }) => isMine),
      facts: {
        spanNodeId: null,
        traceId: run.traceId,
        projectId: run.trace?.projectId ?? null,
        latencyMs: run.latencyMs,
        promptTokens: prompt.tokens,
        completionTokens: completion.tokens,
        cost: total.cost,
        runId: run.id,
        isCached: run.isCached,
      },
    }),
  };
}

/** Text and tool calls of a stored output: a text, messages, or any other JSON. */
export function toOutput(output: Json): CellOutput {
  if (output === null) return { text: '', toolCalls: [] };
  if (typeof output === 'string') return { text: output, toolCalls: [] };
  const messages = isObject(output) && list(output.messages).length > 0 ? readMessages(output.messages) : [];
  if (messages.length === 0) return { text: JSON.stringify(output, null, 2), toolCalls: [] };
  return {
    text: messages
      .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
      .join('\n\n'),
    toolCalls: messages
      .flatMap(({ toolCalls }) => toolCalls)
      .map(({ id, name, arguments: given }, index) => ({ id: id ?? String(index), name, arguments: given ?? '' })),
  };
}
