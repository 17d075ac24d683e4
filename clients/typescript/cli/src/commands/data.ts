import type { Command, CompletionSource } from '../command-line/command.ts';
import { DELETION_FIELDS, DELETION_NOTES, FILE, limit, YES } from './flags.ts';

const deletionOf = (
  noun: string,
  help: string,
  completion: CompletionSource | undefined,
  load: Command['load'],
): Command => ({
  path: [noun, 'delete'],
  help,
  arguments: [{ name: 'id', help: `ID of the ${noun}`, ...(completion && { completion }) }],
  flags: [YES],
  fields: DELETION_FIELDS,
  notes: DELETION_NOTES,
  load,
});

export const DATA_COMMANDS: readonly Command[] = [
  {
    path: ['dataset', 'list'],
    help: 'list datasets, the newest first',
    flags: [limit('at most this number; otherwise all')],
    fields: '[id, name, description, metadata, created_at, updated_at, example_count]',
    load: async () => (await import('../actions/datasets.ts')).listDatasets,
  },
  {
    path: ['dataset', 'get'],
    help: 'show the examples of a dataset',
    arguments: [{ name: 'name', help: 'name or ID of the dataset', completion: 'datasets' }],
    flags: [
      { name: 'split', kind: 'list', value: 'name', help: 'only examples of this split' },
      { name: 'version', kind: 'text', value: 'id', help: 'ID of a version; otherwise the latest' },
      FILE,
    ],
    fields: 'dataset_id, version_id, filtered_splits, examples[id, node_id, input, output, metadata, updated_at]',
    load: async () => (await import('../actions/datasets.ts')).getDataset,
  },
  deletionOf(
    'dataset',
    'delete a dataset with its versions and experiments',
    'datasets',
    async () => (await import('../actions/delete.ts')).deleteDataset,
  ),
  {
    path: ['experiment', 'list'],
    help: 'list experiments of a dataset, or write each to a file of a folder',
    arguments: [
      { name: 'folder', help: 'one JSON file for each experiment goes here', isOptional: true, completion: 'files' },
    ],
    flags: [
      {
        name: 'dataset',
        kind: 'text',
        value: 'name',
        help: 'name or ID of the dataset',
        completion: 'datasets',
        isRequired: true,
      },
      limit('at most this number; otherwise all'),
    ],
    fields:
      '[id, name, description, dataset_id, dataset_version_id, project_name, example_count, successful_run_count, failed_run_count, missing_run_count, …]',
    load: async () => (await import('../actions/experiments.ts')).listExperiments,
  },
  {
    path: ['experiment', 'get'],
    help: 'show an experiment; as JSON, its records',
    arguments: [{ name: 'id', help: 'ID of the experiment' }],
    flags: [FILE],
    fields:
      'the records of GET /v1/experiments/{id}/json: example_id, input, reference_output, output, error, annotations, …',
    load: async () => (await import('../actions/experiments.ts')).getExperiment,
  },
  {
    path: ['experiment', 'compare'],
    help: 'compare an experiment with a baseline, example by example',
    arguments: [
      { name: 'baseline', help: 'ID of the experiment to compare with' },
      { name: 'candidate', help: 'ID of the newer experiment' },
    ],
    flags: [
      {
        name: 'fail-on',
        kind: 'list',
        value: 'condition',
        help: 'exit with 7 if this holds: regression, regression:<measure>, "<measure> < 0.8", "difference:<measure> < -0.02"',
      },
    ],
    fields:
      'baseline, candidate, exampleCount, commonExampleCount, notices[], measures[key, name, direction, values[]], failures[condition, reason]',
    notes:
      'A regression is a difference whose 95 % interval excludes 0, in the wrong direction of the measure.\nMeasures are scores by name, and latencyMs (milliseconds), totalTokens, totalCost (dollars) and\nerrorRate (0 to 1).',
    exitCode: '7 a condition of --fail-on holds',
    examples: ['spandrel experiment compare <baseline> <candidate> --fail-on regression --fail-on "correctness < 0.9"'],
    load: async () => (await import('../actions/compare.ts')).compareExperiments,
  },
  deletionOf(
    'experiment',
    'delete an experiment with its runs',
    undefined,
    async () => (await import('../actions/delete.ts')).deleteExperiment,
  ),
  {
    path: ['prompt', 'list'],
    help: 'list prompts, the newest first',
    flags: [limit('at most this number; otherwise all')],
    fields: '[id, name, description, metadata, source_prompt_id]',
    load: async () => (await import('../actions/prompts.ts')).listPrompts,
  },
  {
    path: ['prompt', 'get'],
    help: 'show a version of a prompt, by default the latest; --format text prints only the messages',
    arguments: [{ name: 'name', help: 'name or ID of the prompt', completion: 'prompts' }],
    flags: [
      { name: 'tag', kind: 'text', value: 'name', help: 'the version with this tag' },
      { name: 'version', kind: 'text', value: 'id', help: 'the version with this ID' },
    ],
    fields:
      'id, description, model_provider, model_name, template, template_type, template_format, invocation_parameters, …',
    load: async () => (await import('../actions/prompts.ts')).getPrompt,
  },
  deletionOf(
    'prompt',
    'delete a prompt with its versions',
    'prompts',
    async () => (await import('../actions/delete.ts')).deletePrompt,
  ),
];
