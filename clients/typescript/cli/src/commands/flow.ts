import type { Command } from '../command-line/command.ts';
import { limit, RANGE, SPAN_KINDS_HELP } from './flags.ts';

export const FLOW_COMMANDS: readonly Command[] = [
  {
    path: ['tail'],
    help: 'show spans as they arrive, until Ctrl-C',
    flags: [
      limit('end after this number of spans; otherwise with Ctrl-C'),
      { name: 'span-kind', kind: 'list', value: 'kind', help: SPAN_KINDS_HELP },
      { name: 'status-code', kind: 'list', value: 'code', help: 'OK, ERROR or UNSET' },
    ],
    isProjectScoped: true,
    fields: 'one line for each span, with the fields of span list',
    load: async () => (await import('../actions/tail.ts')).tail,
  },
  {
    path: ['doctor'],
    help: 'check address, version, sign-in, clock, and a span over HTTP and gRPC; say what to do',
    flags: [
      {
        name: 'grpc-port',
        kind: 'count',
        value: 'port',
        help: 'port of OTLP over gRPC; otherwise SPANDREL_GRPC_PORT, or 4317',
      },
      { name: 'no-send', kind: 'switch', help: 'send no span' },
    ],
    isProjectScoped: true,
    fields: 'endpoint, isFine, checks[name, state (ok, failed, skipped), finding, advice]',
    notes: 'The spans are deleted again.',
    exitCode: '6 something does not work',
    load: async () => (await import('../actions/doctor/doctor.ts')).runDoctor,
  },
  {
    path: ['open'],
    help: 'open a page of the web interface',
    arguments: [
      {
        name: 'noun',
        help: 'project, trace, span, session, dataset, experiment or prompt',
        isOptional: true,
        choices: ['project', 'trace', 'span', 'session', 'dataset', 'experiment', 'prompt'],
      },
      { name: 'id', help: 'name or ID; without both, the first page', isOptional: true },
    ],
    flags: [{ name: 'print', kind: 'switch', help: 'only print the address' }],
    fields: 'url, isOpened',
    examples: ['spandrel open trace 0123456789abcdef0123456789abcdef'],
    load: async () => (await import('../actions/open.ts')).openPage,
  },
  {
    path: ['export'],
    help: 'write a project, dataset or experiment to a file or to standard output',
    arguments: [
      { name: 'noun', help: 'project, dataset or experiment', choices: ['project', 'dataset', 'experiment'] },
      { name: 'name', help: 'name or ID; of an experiment, the ID' },
    ],
    flags: [
      { name: 'output', short: 'o', kind: 'text', value: 'file', help: 'write to this file', completion: 'files' },
      {
        name: 'as',
        kind: 'text',
        value: 'format',
        help: 'the first is the default; project: jsonl, csv, parquet, otlp-json; dataset: jsonl, csv, openai_ft, openai_evals; experiment: json, csv',
      },
      ...RANGE,
      { name: 'filter', kind: 'text', value: 'condition', help: 'only these spans, such as "span_kind == \'LLM\'"' },
      { name: 'version', kind: 'text', value: 'id', help: 'of a dataset: ID of a version; otherwise the latest' },
    ],
    notes:
      'Without --output, the file goes to standard output. --since, --until and --filter select spans of a project.',
    examples: [
      'spandrel export project my-app --as parquet -o spans.parquet',
      'spandrel export dataset questions > questions.jsonl',
    ],
    load: async () => (await import('../actions/transfer/export-data.ts')).exportData,
  },
  {
    path: ['import', 'spans'],
    help: 'store the spans of a file that export project wrote (jsonl or parquet)',
    arguments: [{ name: 'file', help: 'ends with .jsonl, .jsonl.gz or .parquet', completion: 'files' }],
    isProjectScoped: true,
    fields:
      'received_span_count, stored_span_count, repeated_span_count, refused_span_count, annotation_count, refusals[line, reason]',
    notes:
      'A stored span stays as it is and in its project, so the same file can be sent again after a lost connection.',
    load: async () => (await import('../actions/transfer/import-data.ts')).importSpans,
  },
  {
    path: ['import', 'dataset'],
    help: 'upload a file of examples to a dataset',
    arguments: [
      { name: 'file', help: 'ends with .csv, .jsonl, .arrow (the stream format) or .parquet', completion: 'files' },
    ],
    flags: [
      {
        name: 'name',
        kind: 'text',
        value: 'name',
        help: 'name of the dataset',
        completion: 'datasets',
        isRequired: true,
      },
      { name: 'input', kind: 'list', value: 'column', help: 'column of inputs' },
      { name: 'output-key', kind: 'list', value: 'column', help: 'column of outputs' },
      { name: 'metadata', kind: 'list', value: 'column', help: 'column of metadata' },
      { name: 'id-key', kind: 'text', value: 'column', help: 'column that identifies an example' },
      { name: 'split-key', kind: 'text', value: 'column', help: 'column of splits' },
      {
        name: 'action',
        kind: 'text',
        value: 'action',
        help: 'update replaces the examples, append adds to them, create needs a new name',
        choices: ['update', 'append', 'create'],
        default: 'update',
      },
      { name: 'dry-run', kind: 'switch', help: 'say what would change, and store nothing' },
      { name: 'skip-rejected', kind: 'switch', help: 'store the other rows when some are no examples' },
    ],
    fields: 'stored, plan, rejected_count, rejected_rows[line, reason, text]',
    notes:
      'Columns that no flag names are left out. Without --input, --output-key and --metadata the columns are those of an export:\ninput, output and metadata in JSON lines, such as input.question in CSV.',
    examples: [
      'spandrel import dataset questions.csv --name questions --input question --output-key answer --id-key id',
    ],
    load: async () => (await import('../actions/transfer/import-data.ts')).importDataset,
  },
  {
    path: ['outbox', 'list'],
    help: 'list results of experiments that no server has yet',
    fields: '[path, experimentId, isOfServer, runCount, evaluationCount, modifiedAt]',
    load: async () => (await import('../actions/outbox.ts')).listOutbox,
  },
  {
    path: ['outbox', 'send'],
    help: 'send the results that belong to this server; nothing is run',
    arguments: [{ name: 'experiment', help: 'only of the experiment with this ID', isOptional: true }],
    fields: 'sentCount, experimentCount',
    notes: 'Results that the Python client has left are sent by its resume_experiment.',
    load: async () => (await import('../actions/outbox.ts')).sendOutbox,
  },
  {
    path: ['mcp'],
    help: 'serve the Model Context Protocol over standard input and output, for agents',
    flags: [{ name: 'allow-writes', kind: 'switch', help: 'also list tools that write' }],
    isProjectScoped: true,
    notes: 'Runs the program spandrel-mcp, which the package @spandrel/mcp installs.',
    load: async () => (await import('../actions/mcp.ts')).runMcp,
  },
];
