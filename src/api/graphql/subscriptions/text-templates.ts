import { randomUUID } from 'node:crypto';
import { SUBSCRIPTION_TEMPLATE_COUNT_MAX } from '../../../model/limits/subscriptions.ts';
import type { EventSource } from './event-source.ts';

/** Stands for the text of an event. No text of a caller or a model contains it. */
const MARK = JSON.stringify(randomUUID());

/**
 * JSON texts of payloads that differ in one text alone. The operation runs once for each cell, with a mark in the place of the text;
 * the payloads of the cell are the result with their texts in the places of the mark.
 */
export class TextTemplates {
  readonly #source: Pick<EventSource, 'cellOf' | 'textOf' | 'withText' | 'toPayload'>;
  readonly #run: (payload: object) => string | undefined;
  /** Parts around the marks by cell. Undefined for a cell without a template. */
  readonly #parts = new Map<string, readonly string[] | undefined>();

  /** @param run Builds the JSON text of a payload. Undefined if it cannot at once. */
  constructor(
    source: Pick<EventSource, 'cellOf' | 'textOf' | 'withText' | 'toPayload'>,
    run: (payload: object) => string | undefined,
  ) {
    this.#source = source;
    this.#run = run;
  }

  /** The JSON text of the payload of an event. Undefined if it must be built otherwise. */
  fill(event: unknown): string | undefined {
    const text = this.#source.textOf(event);
    if (text === undefined) return undefined;
    const cell = this.#source.cellOf(event);
    let parts = this.#parts.get(cell);
    if (parts === undefined) {
      if (this.#parts.has(cell)) return undefined;
      parts = this.#open(event);
      if (this.#parts.size >= SUBSCRIPTION_TEMPLATE_COUNT_MAX) this.#parts.clear();
      this.#parts.set(cell, parts);
    }
    return parts?.join(JSON.stringify(text));
  }

  #open(event: unknown): readonly string[] | undefined {
    const payload = this.#source.toPayload(this.#source.withText(event, JSON.parse(MARK)));
    return payload && this.#run(payload)?.split(MARK);
  }
}
