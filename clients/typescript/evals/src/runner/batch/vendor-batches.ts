import { EvaluationError, ModelError } from '../../errors.ts';
import { sendForJson, sendForText } from '../../models/http/post-json.ts';
import type { ModelRequest } from '../../models/model.ts';
import type { HttpModel } from '../../models/open-model.ts';
import { ownValue } from '../../own-value.ts';

/** A request in a batch. IDs are unique in it. */
export interface BatchItem {
  readonly id: string;
  readonly request: ModelRequest;
}

/** The body of a response, or its error, by the ID of the request. */
export type BatchResults = ReadonlyMap<string, { readonly body: unknown } | { readonly error: Error }>;

/** The batch interface of a vendor. */
export interface VendorBatches {
  readonly itemCountMax: number;
  /** Starts a batch and returns its ID. */
  send(model: HttpModel, items: readonly BatchItem[], signal: AbortSignal): Promise<string>;
  /** Undefined while the vendor works on it. */
  read(model: HttpModel, id: string, signal: AbortSignal): Promise<BatchResults | undefined>;
}

/** Files of requests and results: up to 10,000 of some kilobytes. */
const FILE_TIMEOUT_MS = 600_000;
const FILE_BYTES_MAX = 400_000_000;

const fileLimits = (signal: AbortSignal) => ({ signal, timeoutMs: FILE_TIMEOUT_MS, bytesMax: FILE_BYTES_MAX });

const lines = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown);

const errorOf = (said: unknown, status: number | undefined): Error => {
  const message = ownValue(said, 'message') ?? ownValue(ownValue(said, 'error'), 'message');
  return new ModelError(
    `The batch has an error for this request: ${String(message ?? JSON.stringify(said))}`,
    status === undefined ? {} : { status },
  );
};

const openAi: VendorBatches = {
  itemCountMax: 50_000,
  async send({ connection, toBody }, items, signal) {
    const text = items.map(({ id, request }) =>
      JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body: toBody(request) }),
    );
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new Blob([text.join('\n')], { type: 'application/jsonl' }), 'batch.jsonl');
    const file = await sendForJson(connection, '/files', { method: 'POST', body: form }, fileLimits(signal));
    const body = {
      input_file_id: ownValue(file.body, 'id'),
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    };
    const batch = await sendForJson(connection, '/batches', { method: 'POST', body: JSON.stringify(body) }, { signal });
    return String(ownValue(batch.body, 'id'));
  },
  async read({ connection }, id, signal) {
    const { body } = await sendForJson(connection, `/batches/${encodeURIComponent(id)}`, { method: 'GET' }, { signal });
    const status = ownValue(body, 'status');
    if (status === 'failed')
      throw new EvaluationError(`The batch ${id} failed: ${JSON.stringify(ownValue(body, 'errors')).slice(0, 300)}.`);
    if (!['completed', 'expired', 'cancelled'].includes(String(status))) return undefined;
    const results = new Map<string, { body: unknown } | { error: Error }>();
    for (const name of ['output_file_id', 'error_file_id']) {
      const file = ownValue(body, name);
      if (typeof file !== 'string') continue;
      const path = `/files/${encodeURIComponent(file)}/content`;
      const { text } = await sendForText(connection, path, { method: 'GET' }, fileLimits(signal));
      for (const line of lines(text)) {
        const response = ownValue(line, 'response');
        const answered = ownValue(response, 'body');
        const code = Number(ownValue(response, 'status_code'));
        results.set(
          String(ownValue(line, 'custom_id')),
          code === 200
            ? { body: answered }
            : { error: errorOf(ownValue(line, 'error') ?? answered, Number.isInteger(code) ? code : undefined) },
        );
      }
    }
    return results;
  },
};

const anthropic: VendorBatches = {
  itemCountMax: 50_000,
  async send({ connection, toBody }, items, signal) {
    const requests = items.map(({ id, request }) => ({ custom_id: id, params: toBody(request) }));
    const init = { method: 'POST', body: JSON.stringify({ requests }) };
    const { body } = await sendForJson(connection, '/v1/messages/batches', init, fileLimits(signal));
    return String(ownValue(body, 'id'));
  },
  async read({ connection }, id, signal) {
    const path = `/v1/messages/batches/${encodeURIComponent(id)}`;
    const { body } = await sendForJson(connection, path, { method: 'GET' }, { signal });
    if (ownValue(body, 'processing_status') !== 'ended') return undefined;
    const { text } = await sendForText(connection, `${path}/results`, { method: 'GET' }, fileLimits(signal));
    return new Map(
      lines(text).map((line) => {
        const result = ownValue(line, 'result');
        const isFine = ownValue(result, 'type') === 'succeeded';
        const said = ownValue(result, 'error') ?? result;
        return [
          String(ownValue(line, 'custom_id')),
          isFine ? { body: ownValue(result, 'message') } : { error: errorOf(said, undefined) },
        ];
      }),
    );
  },
};

const VENDORS = new Map([
  ['openai', openAi],
  ['azure', openAi],
  ['openai-compatible', openAi],
  ['anthropic', anthropic],
]);

/** The batch interface of a model's vendor; undefined when there is none. */
export const batchesOf = (model: HttpModel): VendorBatches | undefined => VENDORS.get(model.provider);
