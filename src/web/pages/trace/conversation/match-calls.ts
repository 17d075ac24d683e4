import type { Message, ToolCall } from '../../../../semconv/read-open-inference.ts';

/** What of a step is needed to find the call that made it. */
export interface CalledStep {
  readonly name: string;
  /** Of the call that it answers, where the application tells. */
  readonly toolCallId: string | undefined;
}

/**
 * For each call that a model made, which of the steps that follow carried it out: the one that names the call, else the
 * first of the tool's name that is not taken.
 *
 * @returns Indices into `following`, by the place of the call.
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

/** What later messages say that the tools answered, by the id of the call. */
export function answersById(messages: readonly Message[]): ReadonlyMap<string, Message> {
  return new Map(messages.flatMap((message) => (message.toolCallId ? [[message.toolCallId, message] as const] : [])));
}
