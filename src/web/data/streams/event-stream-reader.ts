export interface ServerSentEvent {
  /** Name of the event. Empty for a comment. */
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events from texts that end anywhere. Events have one line of data, as those of this server. */
export class EventStreamReader {
  #rest = '';

  read(text: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    // A long event arrives in many texts, which are searched once.
    let from = Math.max(0, this.#rest.length - 1);
    this.#rest += text;
    for (;;) {
      const end = this.#rest.indexOf('\n\n', from);
      if (end === -1) return events;
      events.push(toEvent(this.#rest.slice(0, end)));
      this.#rest = this.#rest.slice(end + 2);
      from = 0;
    }
  }
}

function toEvent(block: string): ServerSentEvent {
  const lines = block.split('\n');
  const field = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trimStart() ?? '';
  return { event: field('event'), data: field('data') };
}
