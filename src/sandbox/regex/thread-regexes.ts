import {
  COMPILED_REGEX_COUNT_MAX,
  REGEX_AT_ONCE_SIZE_MAX,
  REGEX_AT_ONCE_WORK_MAX,
  REGEX_CHARS_MAX,
  REGEX_MS_MAX,
  REGEX_TEXT_CHARS_MAX,
} from '../../model/limits/evaluators.ts';
import { REGEX_THREAD_COUNT, SANDBOX_HEAP_MB_MAX } from '../../model/limits/sandbox.ts';
import type { Regexes, RegexMatch } from '../contract/regexes.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import { CompiledRegexes, expandedSize } from './compiled-regexes.ts';
import type { RegexTask } from './regex-worker.ts';

/**
 * Applies expressions. One that takes at most some milliseconds runs at once, because a thread would cost more; no other
 * holds the event loop.
 */
export function createRegexes(): Regexes {
  const small = new CompiledRegexes(COMPILED_REGEX_COUNT_MAX);
  const threads = new ThreadPool<RegexTask, RegexMatch>({
    file: new URL('./regex-worker.cjs', import.meta.url),
    name: 'regexes',
    threadCount: REGEX_THREAD_COUNT,
    resourceLimits: { maxOldGenerationSizeMb: SANDBOX_HEAP_MB_MAX },
  });
  return {
    async match(pattern, text, { isFull, owner }, signal) {
      if (pattern.length > REGEX_CHARS_MAX) return tooLong('regular expression', pattern, REGEX_CHARS_MAX);
      if (text.length > REGEX_TEXT_CHARS_MAX) return tooLong('text', text, REGEX_TEXT_CHARS_MAX);
      const size = expandedSize(pattern);
      if (size <= REGEX_AT_ONCE_SIZE_MAX && size * text.length <= REGEX_AT_ONCE_WORK_MAX) {
        return small.match(pattern, text, isFull);
      }
      const outcome = await threads.run({ pattern, text, isFull }, { owner, timeoutMs: REGEX_MS_MAX, signal });
      if (outcome.type === 'done') return outcome.result;
      return { ok: false, problem: outcome.type === 'failed' ? outcome.message : EXCEEDED[outcome.type] };
    },
    close: () => threads.close(),
  };
}

const EXCEEDED = {
  timeout: `The regular expression took longer than ${REGEX_MS_MAX} ms, the maximum: use fewer or smaller repetitions, or a shorter text`,
  memory: 'The regular expression needs too much memory: use fewer or smaller repetitions',
};

const tooLong = (what: string, text: string, charsMax: number): RegexMatch => ({
  ok: false,
  problem: `The ${what} has ${text.length} characters; the maximum is ${charsMax}`,
});
