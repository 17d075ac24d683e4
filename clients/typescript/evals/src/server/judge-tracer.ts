import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { SpandrelClient } from '@spandrel/client';
import type { NewSpan } from '@spandrel/client/spans';
import { toErrorText } from '../errors.ts';
import type { EvaluationTracer } from '../evaluators/telemetry.ts';
import { callAttributes } from '../models/call-attributes.ts';
import type { Model } from '../models/model.ts';
import { type ModelInput, toModel } from '../models/to-model.ts';

/** Spans of a request. */
const BATCH_COUNT = 200;
/** Spans that wait for the server; later ones are dropped, because a trace is worth less than the memory. */
const WAITING_COUNT_MAX = 20_000;
const VALUE_CHARS_MAX = 100_000;

interface OpenSpan {
  readonly traceId: string;
  readonly spanId: string;
}

/** Sends the traces of judges to a project of their own. */
export interface JudgeTracer {
  /** For the option `telemetry` of evaluators. */
  readonly tracer: EvaluationTracer;
  /** A model whose calls are LLM spans below that of the evaluation. */
  traceModel(model: ModelInput): Model;
  /** Sends what is left. Returns the number of spans that the server did not take. */
  close(): Promise<number>;
}

export function openJudgeTracer({
  client,
  project,
}: {
  readonly client: SpandrelClient;
  readonly project: string;
}): JudgeTracer {
  const current = new AsyncLocalStorage<OpenSpan>();
  let waiting: NewSpan[] = [];
  /** Spans that the server has not taken yet. */
  let unsentCount = 0;
  let lostCount = 0;
  let sending: Promise<void> = Promise.resolve();

  const flush = () => {
    const data = waiting;
    waiting = [];
    sending = sending.then(async () => {
      for (let start = 0; start < data.length; start += BATCH_COUNT) {
        const batch = data.slice(start, start + BATCH_COUNT);
        const params = { path: { project_identifier: project } };
        // Traces are an addition to results, so a server that takes no spans stops nothing.
        await client.POST('/v1/projects/{project_identifier}/spans', { params, body: { data: batch } }).catch(() => {
          lostCount += batch.length;
        });
        unsentCount -= batch.length;
      }
    });
  };
  const add = (span: NewSpan) => {
    if (unsentCount >= WAITING_COUNT_MAX) {
      lostCount++;
      return;
    }
    unsentCount++;
    waiting.push(span);
    if (waiting.length === BATCH_COUNT) flush();
  };
  const newSpanId = () => randomBytes(8).toString('hex');

  return {
    tracer: {
      tracesModels: true,
      startActiveSpan(name, run) {
        const open = { traceId: randomBytes(16).toString('hex'), spanId: newSpanId() };
        const attributes: Record<string, string | number> = {};
        const startTime = new Date().toISOString();
        let status: { code: string; message?: string } = { code: 'OK' };
        return current.run(open, () =>
          run({
            spanContext: () => open,
            setAttribute: (key, value) => {
              attributes[key] = typeof value === 'string' ? value.slice(0, VALUE_CHARS_MAX) : value;
            },
            setStatus: ({ message = '' }) => {
              status = { code: 'ERROR', message };
            },
            recordException: () => undefined,
            end: () =>
              add({
                ...toSpan(open, name, 'EVALUATOR', startTime),
                status_code: status.code,
                status_message: status.message ?? '',
                attributes,
              }),
          }),
        );
      },
    },
    traceModel(input) {
      const model = toModel(input);
      return {
        ...model,
        async call(request) {
          const parent = current.getStore();
          if (!parent) return model.call(request);
          const startTime = new Date().toISOString();
          const span = () => ({
            ...toSpan({ traceId: parent.traceId, spanId: newSpanId() }, model.name, 'LLM', startTime),
            parent_id: parent.spanId,
          });
          try {
            const response = await model.call(request);
            add({ ...span(), attributes: callAttributes(model, request.messages, response) });
            return response;
          } catch (error) {
            const attributes = callAttributes(model, request.messages, undefined);
            add({ ...span(), status_code: 'ERROR', status_message: toErrorText(error), attributes });
            throw error;
          }
        },
      };
    },
    async close() {
      flush();
      await sending;
      return lostCount;
    },
  };
}

const toSpan = ({ traceId, spanId }: OpenSpan, name: string, kind: string, startTime: string): NewSpan => ({
  name,
  context: { trace_id: traceId, span_id: spanId },
  span_kind: kind,
  start_time: startTime,
  end_time: new Date().toISOString(),
  status_code: 'OK',
});
