import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ExactJson, type ExactJsonOptions, JsonSyntaxError } from './exact-json.ts';
import { ExactJsonReader, Malformed } from './exact-json-reader.ts';

/**
 * Reads a JSON text. The last value of a repeated key wins.
 *
 * @throws {JsonSyntaxError}
 * @throws {JsonDepthError} when lists and objects nest more deeply than `depthMax`
 * @throws {JsonSizeError} when the text exceeds a limit of the options
 */
export function parseExactJson(text: string, options: ExactJsonOptions): ExactJson {
  const reader = new ExactJsonReader([text], options);
  try {
    while (!reader.read(Number.POSITIVE_INFINITY));
    return reader.value;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new JsonSyntaxError(error.message, countCharacters(text, error.offset));
  }
}

const TURN_VALUE_COUNT = 500;
const TURN_MS_MAX = 5;

/**
 * Like `parseExactJson`, for a text in chunks that begin and end with whole characters. Yields to the event loop
 * between steps. Texts are parsed one at a time, so that many of them delay other work no longer than one does.
 *
 * @param beforeValues called with the maximum number of values of the next step, which starts when its promise resolves
 * @param chunks starts the text again on each iteration, because a second pass counts the characters before an error
 * @throws {JsonSizeError} also for a number of more than a million digits
 */
export async function parseExactJsonYielding(
  chunks: () => Iterable<string>,
  options: ExactJsonOptions,
  beforeValues?: (valueCount: number) => Promise<void> | undefined,
): Promise<ExactJson> {
  return oneAtATime(async () => {
    const reader = new ExactJsonReader(chunks(), options);
    try {
      for (;;) {
        // Receiving a long text has used much of this iteration of the event loop.
        await yieldToEventLoop();
        const startedAt = performance.now();
        do {
          await beforeValues?.(TURN_VALUE_COUNT);
          if (reader.read(TURN_VALUE_COUNT)) return reader.value;
        } while (performance.now() - startedAt < TURN_MS_MAX);
      }
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      throw new JsonSyntaxError(error.message, await countCharactersYielding(chunks(), error.offset));
    }
  });
}

/** Number of Unicode characters that begin in the first `end` UTF-16 units of a text. */
function countCharacters(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at++) if (!isLowSurrogate(text.charCodeAt(at))) count++;
  return count;
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Continues past that offset to verify that the rest of the text can be read. */
async function countCharactersYielding(chunks: Iterable<string>, end: number): Promise<number> {
  let count = 0;
  let from = 0;
  let startedAt = performance.now();
  for (const chunk of chunks) {
    if (from < end) count += countCharacters(chunk, Math.min(chunk.length, end - from));
    from += chunk.length;
    if (performance.now() - startedAt < TURN_MS_MAX) continue;
    await yieldToEventLoop();
    startedAt = performance.now();
  }
  return count;
}

let lastRead: Promise<unknown> = Promise.resolve();

function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = lastRead.then(work);
  lastRead = result.catch(() => {});
  return result;
}
