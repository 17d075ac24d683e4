import type { Message, ToolCall } from '../../../../semconv/read-open-inference.ts';

/** Data of a step for matching it to a tool call. */
export interface CalledStep {
  readonly name: string;
  /** ID of the tool call, if the application records it. */
  readonly toolCallId: string | undefined;
}

/**
 * Finds the step that executed each tool call of a model: the step with the ID of the call, else the first unmatched
 * step with the name of the tool.
 *
 * @returns Indices into `following`, by index of the call.
 */
export function matchCalls(calls: readonly ToolCall[], following: readonly CalledStep[]): ReadonlyMap<number, number> {
  const matches = new Map<number, number>();
  const taken = new Set<number>();
  const take = (place: number, step: number) => {
    if (step < 0) return;
    matches.set(place, step);
    taken.add(step);
  };
  for (const [place, { id }] of calls.entries()) {
    if (id !== undefined)
      take(
        place,
        following.findIndex(({ toolCallId }) => toolCallId === id),
      );
  }
  for (const [place, { name }] of calls.entries()) {
    if (matches.has(place)) continue;
    take(
      place,
      following.findIndex((step, at) => step.name === name && step.toolCallId === undefined && !taken.has(at)),
    );
  }
  return matches;
}

/** Tool results in later messages, by ID of the call. */
export function answersById(messages: readonly Message[]): ReadonlyMap<string, Message> {
  return new Map(messages.flatMap((message) => (message.toolCallId ? [[message.toolCallId, message] as const] : [])));
}
