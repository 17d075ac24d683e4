import type { PlaygroundCellsData } from '../generated/runs.ts';
import type { CellEvent, CellFacts } from './cell.ts';

export type ChatPayload = PlaygroundCellsData['chatCompletionCells']['payload'];

/** What a payload does to its cell. Undefined for payloads about the whole experiment. */
export function toCellEvent(payload: ChatPayload, at: number): CellEvent | undefined {
  switch (payload.__typename) {
    case 'TextChunk':
      return { type: 'text', text: payload.content, at };
    case 'ToolCallChunk': {
      const { id, function: call } = payload;
      return { type: 'toolCall', id, name: call.name, arguments: call.arguments, at };
    }
    case 'ChatCompletionSubscriptionRestart':
      return { type: 'restart' };
    case 'ChatCompletionSubscriptionResult':
      return { type: 'result', facts: factsOf(payload) };
    case 'ChatCompletionSubscriptionError':
      return { type: 'error', message: payload.message, facts: factsOf(payload) };
    case 'ChatCompletionSubscriptionStop':
      return { type: 'stop' };
    case 'EvaluationChunk': {
      const { evaluatorName, experimentRunEvaluation: found, error, trace } = payload;
      return {
        type: 'score',
        score: {
          name: evaluatorName,
          label: found?.label ?? null,
          score: found?.score ?? null,
          explanation: found?.explanation ?? null,
          error,
          traceId: trace?.traceId ?? null,
        },
      };
    }
    default:
      return undefined;
  }
}

type Ended = Extract<
  ChatPayload,
  { readonly __typename: 'ChatCompletionSubscriptionResult' | 'ChatCompletionSubscriptionError' }
>;

function factsOf({ span, experimentRun }: Ended): CellFacts | undefined {
  if (!span && !experimentRun) return undefined;
  return {
    spanNodeId: span?.id ?? null,
    traceId: span?.context.traceId ?? null,
    projectId: span?.project.id ?? null,
    latencyMs: span?.latencyMs ?? null,
    promptTokens: span?.tokenCountPrompt ?? null,
    completionTokens: span?.tokenCountCompletion ?? null,
    cost: span?.costSummary?.total.cost ?? null,
    runId: experimentRun?.id ?? null,
    isCached: experimentRun?.isCached ?? false,
  };
}
