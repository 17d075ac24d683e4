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
  send(model: HttpModel, items: readonly BatchItem[]): Promise<string>;
  /** Undefined while the vendor works on it. */
  read(model: HttpModel, id: string): Promise<BatchResults | undefined>;
}

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
  async send({ connection, toBody }, items) {
    const text = items.map(({ id, request }) =>
      JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body: toBody(request) }),
    );
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new Blob([text.join('\n')], { type: 'application/jsonl' }), 'batch.jsonl');
    const file = await sendForJson(connection, '/files', { method: 'POST', body: form });
    const body = {
      input_file_id: ownValue(file.body, 'id'),
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    };
    const batch = await sendForJson(connection, '/batches', { method: 'POST', body: JSON.stringify(body) });
    return String(ownValue(batch.body, 'id'));
  },
  async read({ connection }, id) {
    const { body } = await sendForJson(connection, `/batches/${encodeURIComponent(id)}`, { method: 'GET' });
    const status = ownValue(body, 'status');
    if (status === 'failed')
      throw new EvaluationError(`The batch ${id} failed: ${JSON.stringify(ownValue(body, 'errors')).slice(0, 300)}.`);
    if (!['completed', 'expired', 'cancelled'].includes(String(status))) return undefined;
    const results = new Map<string, { body: unknown } | { error: Error }>();
    for (const name of ['output_file_id', 'error_file_id']) {
      const file = ownValue(body, name);
      if (typeof file !== 'string') continue;
      const { text } = await sendForText(connection, `/files/${encodeURIComponent(file)}/content`, { method: 'GET' });
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
  async send({ connection, toBody }, items) {
    const requests = items.map(({ id, request }) => ({ custom_id: id, params: toBody(request) }));
    const { body } = await sendForJson(connection, '/v1/messages/batches', {
      method: 'POST',
      body: JSON.stringify({ requests }),
    });
    return String(ownValue(body, 'id'));
  },
  async read({ connection }, id) {
    const path = `/v1/messages/batches/${encodeURIComponent(id)}`;
    const { body } = await sendForJson(connection, path, { method: 'GET' });
    if (ownValue(body, 'processing_status') !== 'ended') return undefined;
    const { text } = await sendForText(connection, `${path}/results`, { method: 'GET' });
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
