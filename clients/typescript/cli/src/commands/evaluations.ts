import type { Command } from '../command-line/command.ts';
import { limit } from './flags.ts';

export const EVALUATION_COMMANDS: readonly Command[] = [
  {
    path: ['eval', 'run'],
    help: 'evaluate spans as a YAML file says, and annotate them',
    arguments: [{ name: 'file', help: 'YAML file, as below', completion: 'files' }],
    flags: [
      {
        name: 'since-last',
        kind: 'switch',
        help: 'only spans that are new since the last run with this flag, and evaluators without a result',
      },
      { name: 'dry-run', kind: 'switch', help: 'only count the spans' },
      limit('at most this number of spans; otherwise that of the file, else all'),
    ],
    isProjectScoped: true,
    fields:
      'rowCount, skippedCount, annotationCount, evaluators{name: count, meanScore, labels, errorCount, labelErrorCount, firstError, notRunCount}, calls, configs, seconds, stopReason, error',
    notes: `The file:
  name: nightly                     # identifier of the annotations
  project: my-app
  filter: span_kind == 'LLM'
  model: {provider: openai, name: gpt-5-mini}
  evaluators: [correctness, {metric: contains, options: {words: sorry}}]
Also rootSpansOnly, sample, limit, concurrency, maxCost, cache, judgesProject; the README of @spandrel/evals has prompts and inputs.
A second run replaces the annotations of the first one; with --since-last, it asks only evaluators that have no result for a span.
Calls of the model are repeated while it cannot be reached. A terminal shows that; elsewhere one line on standard error says it.
The key of the model comes from its variable, such as OPENAI_API_KEY.`,
    exitCode: 'and 1 also if an evaluation failed or the run stopped',
    examples: ['spandrel eval run nightly.yaml --since-last'],
    load: async () => (await import('../actions/evaluations/run-evaluation.ts')).runEvaluation,
  },
];
