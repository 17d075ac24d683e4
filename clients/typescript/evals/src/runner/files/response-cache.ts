import { createHash } from 'node:crypto';
import type { Model, ModelRequest, ModelResponse } from '../../models/model.ts';
import { modelKey } from '../../models/model.ts';
import type { AppendFile } from './append-file.ts';
import { type LineReader, readPositions } from './line-positions.ts';
import { closeLockedFile, openLockedFile } from './locked-file.ts';

/** Responses of earlier runs, in a file of lines. */
export interface CacheOptions {
  readonly path: string;
  /** Older responses are asked for again. Default: no limit. */
  readonly maxAgeMs?: number;
}

interface Entry {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly response: ModelResponse;
}

/** Responses by the whole request: model, address, messages, form, parameters and number of the repetition. */
export class ResponseCache {
  readonly #file: AppendFile;
  readonly #reader: LineReader;
  readonly #maxAgeMs: number;
  readonly #release: () => void;
  readonly #places = new Map<string, { readonly offset: number; readonly byteCount: number }>();
  /** Responses of this run, which are in the file soon. */
  readonly #fresh = new Map<string, ModelResponse>();

  private constructor(file: AppendFile, reader: LineReader, maxAgeMs: number, release: () => void) {
    this.#file = file;
    this.#reader = reader;
    this.#maxAgeMs = maxAgeMs;
    this.#release = release;
  }

  static async open({ path, maxAgeMs = Number.POSITIVE_INFINITY }: CacheOptions): Promise<ResponseCache> {
    const { file, reader, release } = await openLockedFile(path);
    const cache = new ResponseCache(file, reader, maxAgeMs, release);
    try {
      for await (const { line, offset, byteCount } of readPositions(path)) cache.#index(line, offset, byteCount);
      return cache;
    } catch (error) {
      await cache.close();
      throw error;
    }
  }

  #index(line: string, offset: number, byteCount: number): void {
    // The line begins with key and time, so the response is parsed only when it is needed.
    const [, key, at] = /^\{"key":"([\w-]+)","at":(\d+),/.exec(line.slice(0, 200)) ?? [];
    if (key === undefined || Date.now() - Number(at) > this.#maxAgeMs) return;
    this.#places.set(key, { offset, byteCount });
  }

  find(key: string): ModelResponse | undefined {
    const fresh = this.#fresh.get(key);
    if (fresh) return { ...fresh, isCached: true };
    const place = this.#places.get(key);
    if (!place) return undefined;
    try {
      const { response } = JSON.parse(this.#reader.read(place.offset, place.byteCount)) as Entry;
      return { ...response, isCached: true };
    } catch {
      // A damaged line is asked for again.
      return undefined;
    }
  }

  /** Resolves when the response is in the file. */
  async add(key: string, { text, value, usage, logprobs, finishReason }: ModelResponse): Promise<void> {
    const response: ModelResponse = {
      text,
      ...(value !== undefined && { value }),
      ...(usage && { usage }),
      ...(logprobs && { logprobs }),
      ...(finishReason !== undefined && { finishReason }),
    };
    this.#fresh.set(key, response);
    if (this.#fresh.size > FRESH_COUNT_MAX) {
      const [oldest] = this.#fresh.keys();
      if (oldest !== undefined) this.#fresh.delete(oldest);
    }
    await this.#file.append(JSON.stringify({ key, at: Date.now(), response } satisfies Entry));
  }

  async close(): Promise<void> {
    await closeLockedFile({ file: this.#file, reader: this.#reader, release: this.#release });
  }
}

/** Equal rows of one run are asked once while they are near each other. */
const FRESH_COUNT_MAX = 10_000;

/** The key of a request. */
export function requestKey(
  model: Model,
  { messages, answer, parameters, wantsLogprobs, repetition }: ModelRequest,
): string {
  const text = JSON.stringify([modelKey(model), messages, answer, parameters, wantsLogprobs === true, repetition ?? 0]);
  return createHash('sha256').update(text).digest('base64url');
}
