import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExactJson, type ExactJsonObject, newJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { nowUnixNano } from '../../../base/now-unix-nano.ts';
import type { SpanKind } from '../../../semconv/span-kinds.ts';
import { SpandrelError } from '../../../model/errors.ts';
import {
  EVALUATION_ERROR_CHARS_MAX,
  EVALUATION_SPAN_CHARS_MAX,
  TRACE_RETRY_MS,
} from '../../../model/limits/evaluators.ts';
import type { Receipt } from '../../../model/receipt.ts';
import type { Ports } from '../../ports.ts';
import { toJournalText } from '../../spans/create-spans.ts';
import type { NewSpan } from '../../spans/new-span.ts';

/** End of a span: its output, or the error of the step. */
export interface SpanEnd {
  readonly output?: ExactJson;
  readonly error?: string | undefined;
  readonly attributes?: ExactJsonObject;
}

/** A span that has started. */
export interface OpenSpan {
  readonly spanId: string;
  /** Called once. */
  end(end: SpanEnd): void;
}

/** The trace of one evaluation, which is stored when the evaluation has ended. */
export class EvaluationTrace {
  readonly traceId = randomBytes(16).toString('hex');
  readonly #spans: NewSpan[] = [];

  start(name: string, kind: SpanKind, parentId: string | null, input: ExactJson): OpenSpan {
    const spanId = randomBytes(8).toString('hex');
    const startTimeUnixNano = nowUnixNano();
    return {
      spanId,
      end: ({ output, error, attributes }) => {
        const all = Object.assign(newJsonObject(), jsonValue('input', input), attributes);
        if (output !== undefined) Object.assign(all, jsonValue('output', output));
        const endTimeUnixNano = nowUnixNano();
        this.#spans.push({
          name,
          traceId: this.traceId,
          spanId,
          parentId,
          spanKind: kind,
          statusCode: error === undefined ? 'OK' : 'ERROR',
          statusMessage: error ?? '',
          startTimeUnixNano,
          endTimeUnixNano,
          attributes: all,
          events: error === undefined ? [] : [exceptionEvent(error, endTimeUnixNano)],
        });
      },
    };
  }

  /** Adds a span that another part has recorded. */
  add(span: NewSpan): void {
    this.#spans.push(span);
  }

  /**
   * Stores the spans that have ended.
   *
   * @returns their receipt. Null when the server cannot store spans at the moment: an evaluation may have cost
   *   money, and is kept without its trace.
   */
  async store({ writes }: Pick<Ports, 'writes'>, projectName: string): Promise<Receipt | null> {
    const text = toJournalText(projectName, this.#spans);
    for (const waitMs of [...TRACE_RETRY_MS, undefined]) {
      try {
        return (await writes.submitSpans(text, this.#spans.length, projectName)).receipt;
      } catch (error) {
        if (!(error instanceof SpandrelError)) throw error;
        if (waitMs === undefined || (error.kind !== 'overloaded' && error.kind !== 'tooMany')) return null;
        await sleep(waitMs);
      }
    }
    return null;
  }
}

/** A value that is too long is cut, and then it is not JSON. */
function jsonValue(what: 'input' | 'output', value: ExactJson): ExactJsonObject {
  const text = toExactJsonText(value);
  const isCut = text.length > EVALUATION_SPAN_CHARS_MAX;
  return {
    [`${what}.value`]: isCut ? `${text.slice(0, EVALUATION_SPAN_CHARS_MAX)}…` : text,
    [`${what}.mime_type`]: isCut ? 'text/plain' : 'application/json',
  };
}

const exceptionEvent = (message: string, timeUnixNano: bigint) => ({
  name: 'exception',
  timeUnixNano,
  attributes: { 'exception.message': message.slice(0, EVALUATION_ERROR_CHARS_MAX) },
});
