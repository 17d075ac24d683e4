import { createHash } from 'node:crypto';
import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import {
  CACHED_RESPONSE_AGE_MS_MAX,
  CACHED_RESPONSE_BYTES_MAX,
  CACHED_RESPONSE_EVICT_COUNT,
  CACHED_RESPONSES_BYTES_MAX,
} from '../../../model/limits/jobs.ts';
import type { ChatTask } from '../../../model/playground/chat-task.ts';
import type { ChatMessage, ChatModel } from '../../../llm/contract/chat-model.ts';
import type { CachedCall, CallCache } from '../../playground/call-cache.ts';
import type { Ports } from '../../ports.ts';
import { ignoreExpected } from './ignore-expected.ts';

/** Changes when requests of the same prompt are sent in another form. */
const FORM = 1;

/**
 * Successful responses of models by their exact request. They are shared by the runs over one dataset, and only where model,
 * address, credentials, headers and number of the repetition are the same, so a caller gets no response that its own
 * credentials could not have had.
 */
export class ResponseCache {
  readonly #store: Ports['experimentJobs'];
  readonly #datasetRowId: number;
  #addedCount = 0;

  constructor({ experimentJobs }: Pick<Ports, 'experimentJobs'>, datasetRowId: number) {
    this.#store = experimentJobs;
    this.#datasetRowId = datasetRowId;
  }

  of(model: Pick<ChatModel, 'identity'>, { prompt, isStreamed }: ChatTask, repetitionNumber: number): CallCache {
    const { tools, responseFormat, invocationParameters } = prompt;
    const keyOf = (messages: readonly ChatMessage[]) =>
      createHash('sha256')
        .update(
          toExactJsonText([
            ...[FORM, this.#datasetRowId, model.identity, isStreamed, repetitionNumber],
            { messages, tools, responseFormat, invocationParameters } as unknown as ExactJson,
          ]),
        )
        .digest();
    return {
      find: async (messages) => {
        const found = this.#store.findCachedResponse(keyOf(messages), CACHED_RESPONSE_AGE_MS_MAX);
        const content = await found.catch(ignoreExpected);
        return content === undefined ? undefined : toCall(content);
      },
      add: async (messages, call) => {
        const content = toContent(call);
        if (Buffer.byteLength(content) > CACHED_RESPONSE_BYTES_MAX) return;
        const row = { key: keyOf(messages), datasetRowId: this.#datasetRowId, content };
        await this.#store.addCachedResponse(row).catch(ignoreExpected);
        this.#addedCount++;
        if (this.#addedCount % CACHED_RESPONSE_EVICT_COUNT === 0) await this.evict();
      },
    };
  }

  /** Keeps age and size within their limits. A database that is unavailable costs no call its outcome. */
  async evict(): Promise<void> {
    const limits = { ageMsMax: CACHED_RESPONSE_AGE_MS_MAX, bytesMax: CACHED_RESPONSES_BYTES_MAX };
    await this.#store.evictCachedResponses(limits).catch(ignoreExpected);
  }
}

function toContent({ response, sent }: CachedCall): string {
  const { text, reasoning, toolCalls, finishReason, output } = response;
  const { bodyText, parameters, tools, url } = sent;
  return toExactJsonText({
    response: { text, reasoning, toolCalls, finishReason, output },
    sent: { bodyText, parameters, tools, url: url ?? null },
  } as unknown as ExactJson);
}

function toCall(content: string): CachedCall {
  const { response, sent } = parseExactJson(content, ANY_DEPTH) as unknown as StoredCall;
  const body = parseExactJson(sent.bodyText, ANY_DEPTH) as ExactJsonObject;
  return { response: { ...response, usage: {} }, sent: { ...sent, body, url: sent.url ?? undefined } };
}

interface StoredCall {
  readonly response: Omit<CachedCall['response'], 'usage'>;
  readonly sent: Omit<CachedCall['sent'], 'body' | 'url'> & { readonly url: CachedCall['sent']['url'] | null };
}

const ANY_DEPTH = { depthMax: Number.POSITIVE_INFINITY };
