import type { ExecutionResult } from 'graphql';
import type { ExactJson } from '../../../base/exact-json.ts';
import { toExactJsonText } from '../../../base/exact-json.ts';
import { GRAPHQL_PAGE_COST } from '../../../model/limits/graphql.ts';
import { SUBSCRIPTION_BATCH_COUNT_MAX } from '../../../model/limits/subscriptions.ts';
import type { GraphqlContext } from '../context.ts';
import type { CompiledSubscription } from '../execution/compiled-subscription.ts';
import type { RequestLoad } from '../execution/request-load.ts';
import { RequestWork } from '../execution/request-work.ts';
import type { EventSource } from './event-source.ts';
import { TextTemplates } from './text-templates.ts';

export interface PayloadOptions {
  readonly compiled: CompiledSubscription;
  readonly source: Omit<EventSource, 'events' | 'merge' | 'charsOf'>;
  readonly load: RequestLoad;
  /** Estimated cost of one payload, in resolved fields. */
  readonly cost: number;
  /** Fires when the subscription ends. */
  readonly signal: AbortSignal;
  readonly newContext: (work: RequestWork) => GraphqlContext;
  /** JSON text of a payload in place of one that could not be built. */
  readonly failed: (error: unknown) => string;
  /** Converts the errors of the fields of a payload. */
  readonly formatErrors: (errors: NonNullable<ExecutionResult['errors']>) => readonly object[];
}

/** Builds the JSON texts of payloads. Each sees the data that is stored when it is built. */
export class PayloadBuilder {
  readonly #options: PayloadOptions;
  readonly #templates: TextTemplates;
  /** Largest number of events to build at once. */
  readonly countMax: number;

  constructor(options: PayloadOptions) {
    this.#options = options;
    this.#templates = new TextTemplates(options.source, (payload) => this.#textNow(payload));
    const affordable = Math.floor(GRAPHQL_PAGE_COST / Math.max(1, options.cost));
    this.countMax = Math.min(SUBSCRIPTION_BATCH_COUNT_MAX, Math.max(1, affordable));
  }

  /** JSON texts in the order of the events. Events that the operation does not ask for have none. */
  async build(events: readonly unknown[]): Promise<string[]> {
    const { source, compiled } = this.#options;
    const filled = events.map((event) => this.#templates.fill(event));
    if (filled.every((text) => text !== undefined)) return filled;
    const payloads = events.flatMap((event) => {
      const payload = source.toPayload(event);
      return payload ? [{ payload, isComplete: source.isComplete(event) }] : [];
    });
    if (payloads.every(({ isComplete }) => isComplete)) {
      return Promise.all(payloads.map(({ payload }) => this.#text(compiled.run(payload, undefined))));
    }
    const all = await this.#buildReading(payloads.map(({ payload }) => payload));
    if (all) return all;
    // A limit ended the reads of all of them, so each gets its own.
    const texts: string[] = [];
    for (const { payload } of payloads) {
      const [text] = (await this.#buildReading([payload], true)) ?? [];
      if (text !== undefined) texts.push(text);
    }
    return texts;
  }

  /** Undefined when a limit ended the work, unless it is the last attempt. */
  async #buildReading(payloads: readonly object[], isLast = payloads.length === 1): Promise<string[] | undefined> {
    const { compiled, load, cost, signal, newContext, failed } = this.#options;
    const work = new RequestWork(load, signal, true);
    let leave: (() => void) | undefined;
    try {
      leave = await load.admit(cost * payloads.length, work.signal);
      const context = newContext(work);
      const results = Promise.all(payloads.map((payload) => compiled.run(payload, context)));
      return await Promise.all((await Promise.race([results, work.ended])).map((result) => this.#text(result)));
    } catch (error) {
      if (signal.aborted) return [];
      return isLast ? payloads.map(() => failed(error)) : undefined;
    } finally {
      leave?.();
      work.close();
    }
  }

  /** The text of a payload that needs no context. Undefined if it has errors or is not known at once. */
  #textNow(payload: object): string | undefined {
    const result = this.#options.compiled.run(payload, undefined);
    if (result instanceof Promise || result.errors?.length) return undefined;
    return toExactJsonText({ data: result.data } as unknown as ExactJson);
  }

  async #text(result: ExecutionResult | Promise<ExecutionResult>): Promise<string> {
    const { data, errors } = result instanceof Promise ? await result : result;
    if (!errors?.length) return toExactJsonText({ data } as unknown as ExactJson);
    const body = { data: data ?? null, errors: this.#options.formatErrors(errors) };
    return toExactJsonText(body as unknown as ExactJson);
  }
}
