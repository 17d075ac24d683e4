import type { ChatEvent } from '../../../model/playground/chat-event.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { findTrace, toAnnotation } from '../experiments/experiment-run.ts';
import { experimentRef, type Resolvers, runRef, spanRef } from '../resolvers.ts';
import type { EventSource } from '../subscriptions/event-source.ts';

const RESTART = 'ChatCompletionSubscriptionRestart';
const STOP = 'ChatCompletionSubscriptionStop';

/**
 * The payloads of a chat completion. A restart is sent only to operations that have a fragment on its type, because public
 * clients do not know it. Without a fragment, a stop is an error.
 */
export const toEventSource = (
  events: AsyncIterable<ChatEvent>,
  fragmentTypes: ReadonlySet<string>,
): EventSource<ChatEvent> => ({ events, ...chatPayloads(fragmentTypes) });

/** How events of chat completions become payloads. */
export const chatPayloads = (fragmentTypes: ReadonlySet<string>): Omit<EventSource<ChatEvent>, 'events'> => ({
  cellOf: ({ exampleRowId, repetitionNumber }) => `${exampleRowId} ${repetitionNumber}`,
  merge,
  charsOf,
  toPayload(event) {
    if (event.type === 'restart' && !fragmentTypes.has(RESTART)) return undefined;
    if (event.type !== 'stopped' || fragmentTypes.has(STOP)) return toPayload(event);
    return toPayload({ ...event, type: 'error', message: event.reason, spanRowId: null, runRowId: null });
  },
  textOf: (event) => (event.type === 'text' ? event.text : undefined),
  withText: (event, text) => ({ ...event, type: 'text', text }),
  isComplete: ({ type }) => type === 'text' || type === 'toolCall' || type === 'restart',
});

function merge(first: ChatEvent, second: ChatEvent): ChatEvent | undefined {
  if (first.type === 'text' && second.type === 'text') return { ...first, text: first.text + second.text };
  if (first.type !== 'toolCall' || second.type !== 'toolCall' || first.id !== second.id) return undefined;
  return { ...first, name: first.name || second.name, arguments: first.arguments + second.arguments };
}

function charsOf(event: ChatEvent): number {
  if (event.type === 'text') return event.text.length;
  if (event.type === 'toolCall') return event.arguments.length + event.name.length;
  if (event.type === 'error') return event.message.length;
  if (event.type === 'stopped') return event.reason.length;
  return 0;
}

function toPayload(event: ChatEvent): object {
  const { exampleRowId, repetitionNumber } = event;
  const datasetExampleId = exampleRowId === null ? null : toGlobalId('DatasetExample', exampleRowId);
  const cell = { datasetExampleId, repetitionNumber };
  switch (event.type) {
    case 'text':
      return { __typename: 'TextChunk', ...cell, content: event.text };
    case 'toolCall': {
      const { id, name, arguments: text } = event;
      return { __typename: 'ToolCallChunk', ...cell, id, function: { ...cell, name, arguments: text } };
    }
    case 'restart':
      return { __typename: RESTART, ...cell };
    case 'stopped':
      return { __typename: STOP, ...cell, reason: event.reason };
    case 'result':
      return { __typename: 'ChatCompletionSubscriptionResult', ...cell, ...refsOf(event) };
    case 'error':
      return {
        __typename: 'ChatCompletionSubscriptionError',
        ...cell,
        message: event.message,
        ...refsOf(event),
      };
    case 'experiment':
      return {
        __typename: 'ChatCompletionSubscriptionExperiment',
        ...cell,
        experiment: experimentRef(event.experimentRowId),
      };
    case 'evaluation': {
      const { evaluatorName, annotationRowId, traceId, error } = event;
      return { __typename: 'EvaluationChunk', ...cell, evaluatorName, annotationRowId, traceId, error };
    }
  }
}

const refsOf = ({ spanRowId, runRowId }: { readonly spanRowId: number | null; readonly runRowId: number | null }) => ({
  span: spanRowId === null ? null : spanRef(spanRowId),
  experimentRun: runRowId === null ? null : runRef(runRowId),
});

interface EvaluationPayload {
  readonly annotationRowId: number | null;
  readonly traceId: string | null;
}

export const evaluationChunkResolvers: Resolvers = {
  experimentRunEvaluation: ({ annotationRowId }: EvaluationPayload, _args: unknown, { loaders }) =>
    annotationRowId === null
      ? null
      : whenKnown(loaders.evaluations.load(annotationRowId), (evaluation) => evaluation && toAnnotation(evaluation)),
  trace: ({ traceId }: EvaluationPayload, _args: unknown, { loaders }) => findTrace(traceId, loaders),
};
