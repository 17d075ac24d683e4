import { COMPILED_REGEX_COUNT_MAX } from '../../model/limits/evaluators.ts';
import type { RegexMatch } from '../contract/regexes.ts';
import { serveTasks } from '../threads/serve-tasks.ts';
import { CompiledRegexes } from './compiled-regexes.ts';

// The thread of regular expressions. `thread-regexes.ts` starts it.

export interface RegexTask {
  readonly pattern: string;
  readonly text: string;
  readonly isFull: boolean;
}

const regexes = new CompiledRegexes(COMPILED_REGEX_COUNT_MAX);

serveTasks(
  async (_task: RegexTask) => undefined,
  (_runtime, { pattern, text, isFull }): RegexMatch => regexes.match(pattern, text, isFull),
);
