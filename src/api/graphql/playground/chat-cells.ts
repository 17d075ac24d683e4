import { CHAT_VARIANT_COUNT_MAX } from '../../../model/limits/chat.ts';
import { GRID_WRITE_INTERVAL_MS } from '../../../model/limits/subscriptions.ts';
import { type KeyedEvent, mergeStreams } from '../../../domain/playground/stream-cells.ts';
import { reject } from '../arguments.ts';
import type { Subscriber } from '../execution/compiled-subscription.ts';
import { checkObject } from '../prompts/prompt-input.ts';
import type { EventSource } from '../subscriptions/event-source.ts';
import { chatPayloads } from './chat-events.ts';
import {
  type ChatCompletionInput,
  type OverDatasetInput,
  toChatInput,
  toOverDatasetInput,
} from './chat-subscriptions.ts';

interface CellsInput {
  readonly variants: readonly ChatCompletionInput[];
  readonly cells: readonly { readonly key: string; readonly variant: number; readonly variables?: unknown }[];
  readonly maxConcurrency: number;
}

const chatCompletionCells: Subscriber = (args, { domain, signal, fragmentTypes }) => {
  const { variants, cells, maxConcurrency } = args.input as CellsInput;
  // A prompt is read once, however many cells it has.
  const tasks = variants.map(({ template: _, ...input }) => toChatInput(input));
  const keyed = cells.map(({ key, variant, variables }) => {
    const task = tasks[variant];
    if (!task) return reject(`The cell ${key} names the variant ${variant}, and there are ${variants.length}`);
    const isRendered = variables !== undefined && variables !== null;
    return { key, variant, input: { ...task, variables: isRendered ? checkObject('variables', variables) : null } };
  });
  return toKeyedSource(domain.playground.streamCells({ cells: keyed, maxConcurrency }, signal), fragmentTypes);
};

const chatCompletionVariants: Subscriber = (args, { domain, signal, fragmentTypes }) => {
  const inputs = args.inputs as readonly OverDatasetInput[];
  if (inputs.length === 0 || inputs.length > CHAT_VARIANT_COUNT_MAX) {
    reject(`inputs must have from 1 to ${CHAT_VARIANT_COUNT_MAX} items`);
  }
  const starts = inputs.map(toOverDatasetInput).map(
    (input, index) =>
      async function* (): AsyncGenerator<KeyedEvent> {
        for await (const event of domain.experiments.streamOverDataset(input, signal)) {
          yield { key: String(index), event };
        }
      },
  );
  return toKeyedSource(mergeStreams(starts, inputs.length), fragmentTypes);
};

/** The payloads of several completions with their keys. */
function toKeyedSource(events: AsyncIterable<KeyedEvent>, fragmentTypes: ReadonlySet<string>): EventSource<KeyedEvent> {
  const one = chatPayloads(fragmentTypes);
  return {
    events,
    writeIntervalMs: GRID_WRITE_INTERVAL_MS,
    cellOf: ({ key, event }) => `${key} ${one.cellOf(event)}`,
    merge(first, second) {
      const event = one.merge(first.event, second.event);
      return event && { key: first.key, event };
    },
    charsOf: ({ key, event }) => key.length + one.charsOf(event),
    toPayload({ key, event }) {
      const payload = one.toPayload(event);
      return payload && { __typename: 'ChatCompletionCell', key, payload };
    },
    textOf: ({ event }) => one.textOf(event),
    withText: ({ key, event }, text) => ({ key, event: one.withText(event, text) }),
    isComplete: ({ event }) => one.isComplete(event),
  };
}

export const cellSubscribers: Readonly<Record<string, Subscriber>> = { chatCompletionCells, chatCompletionVariants };
