import type { Dialect } from './dialect.ts';

/** Attributes that Claude Code and the Claude Agent SDK send beside those of `gen_ai`. */
export const CLAUDE_CODE: Dialect = {
  name: 'claude-code',
  prefixes: ['user_prompt', 'ttft_ms', 'claude_code.'],
  translate(span) {
    return {
      input: span.text('user_prompt'),
      firstTokenMs: span.number('ttft_ms'),
      cost: span.number('cost_usd'),
    };
  },
};
