import { ModelError } from '../errors.ts';
import type { FakeModel } from './create-fake-model.ts';
import { anthropicMessages } from './wire/anthropic-messages.ts';
import { decideOnWire } from './wire/decide-on-wire.ts';
import { openAiChat } from './wire/openai-chat.ts';
import type { ProtocolServer } from './wire/protocol.ts';

interface Batch {
  readonly shown: Readonly<Record<string, unknown>>;
  readonly states: readonly [key: string, waiting: string, ended: string];
  readCount: number;
}

/** The batch interfaces of OpenAI and Anthropic. A batch is in progress when it is read first, and has ended later. */
export class FakeBatches {
  readonly #model: FakeModel;
  readonly #files = new Map<string, string>();
  readonly #batches = new Map<string, Batch>();

  constructor(model: FakeModel) {
    this.#model = model;
  }

  /** An object, or a text of lines; undefined for other paths. */
  async answer(method: string, path: string, request: Request): Promise<unknown> {
    if (method === 'POST') {
      if (path === '/v1/files') return this.#storeFile(request);
      if (path === '/v1/batches') return this.#startOpenAi((await request.json()) as { input_file_id: string });
      if (path === '/v1/messages/batches')
        return this.#startAnthropic((await request.json()) as { requests: { custom_id: string; params: unknown }[] });
      return undefined;
    }
    const [, file] = /^\/v1\/files\/([\w-]+)\/content$/.exec(path) ?? [];
    if (file !== undefined) return this.#files.get(file);
    const [, id, results] = /^\/v1\/(?:messages\/)?batches\/([\w-]+)(\/results)?$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    return results === undefined ? this.#read(id) : this.#files.get(id);
  }

  async #storeFile(request: Request): Promise<unknown> {
    const file = (await request.formData()).get('file');
    const id = `file-${this.#files.size + 1}`;
    this.#files.set(id, typeof file === 'string' ? file : ((await file?.text()) ?? ''));
    return {
      id,
      object: 'file',
      bytes: this.#files.get(id)?.length,
      created_at: 1,
      filename: 'batch.jsonl',
      purpose: 'batch',
      status: 'processed',
    };
  }

  #startOpenAi({ input_file_id: input }: { readonly input_file_id: string }): unknown {
    const lines = (this.#files.get(input) ?? '').split('\n').filter((line) => line !== '');
    const output = `file-${this.#files.size + 1}`;
    this.#files.set(
      output,
      lines
        .map((line) => {
          const { custom_id, body } = JSON.parse(line) as { custom_id: string; body: { model: string } };
          const { status, body: answered } = this.#decide(openAiChat, body);
          return JSON.stringify({
            id: 'request',
            custom_id,
            response: { status_code: status, request_id: 'request', body: answered },
            error: null,
          });
        })
        .join('\n'),
    );
    return this.#start('batch_', ['status', 'in_progress', 'completed'], {
      object: 'batch',
      endpoint: '/v1/chat/completions',
      input_file_id: input,
      output_file_id: output,
      error_file_id: null,
      completion_window: '24h',
      created_at: 1,
    });
  }

  #startAnthropic({ requests }: { readonly requests: readonly { custom_id: string; params: unknown }[] }): unknown {
    const started = this.#start('msgbatch_', ['processing_status', 'in_progress', 'ended'], {
      type: 'message_batch',
      created_at: '2026-01-01T00:00:00Z',
    });
    const lines = requests.map(({ custom_id, params }) => {
      const { status, body } = this.#decide(anthropicMessages, params);
      return JSON.stringify({
        custom_id,
        result: status === 200 ? { type: 'succeeded', message: body } : { type: 'errored', error: body },
      });
    });
    this.#files.set((started as { id: string }).id, lines.join('\n'));
    return started;
  }

  #start(prefix: string, states: Batch['states'], fields: Readonly<Record<string, unknown>>): unknown {
    this.#model.count('batches');
    const id = `${prefix}${this.#batches.size + 1}`;
    const batch: Batch = { shown: { id, ...fields }, states, readCount: 0 };
    this.#batches.set(id, batch);
    return { ...batch.shown, [states[0]]: states[1] };
  }

  #read(id: string): unknown {
    const batch = this.#batches.get(id);
    if (!batch) return undefined;
    const [key, waiting, ended] = batch.states;
    return { ...batch.shown, [key]: batch.readCount++ === 0 ? waiting : ended };
  }

  #decide(wire: ProtocolServer, body: unknown): { status: number; body: unknown } {
    this.#model.count('requests');
    try {
      return { status: 200, body: wire.toBody(...decideOnWire(this.#model, wire.readPrompt(body, {}))) };
    } catch (error) {
      const status = error instanceof ModelError ? (error.status ?? 500) : 500;
      return { status, body: wire.toError(status, error instanceof Error ? error.message : String(error)).body };
    }
  }
}
