import type { Command } from '../command-line/command.ts';
import {
  ANNOTATOR_KIND,
  DELETION_FIELDS,
  DELETION_NOTES,
  FILE,
  IDENTIFIER,
  INCLUDES,
  idOf,
  limit,
  RANGE,
  SPAN_KINDS_HELP,
  YES,
} from './flags.ts';

const ANNOTATE_FLAGS: Command['flags'] = [
  { name: 'name', kind: 'text', value: 'name', help: 'name of the annotation', isRequired: true },
  { name: 'label', kind: 'text', value: 'label', help: 'such as correct' },
  { name: 'score', kind: 'number', value: 'number', help: 'such as 0.8' },
  { name: 'explanation', kind: 'text', value: 'text', help: 'why' },
  { ...ANNOTATOR_KIND, default: 'HUMAN' },
  IDENTIFIER,
];

/** What traces, spans and sessions have in common. */
const commonOf = (noun: 'trace' | 'span' | 'session', deletion: Command['load']): readonly Command[] => [
  {
    path: [noun, 'annotate'],
    help: `annotate a ${noun} with a label, a score or an explanation`,
    arguments: [idOf(noun)],
    flags: ANNOTATE_FLAGS,
    fields: 'id, targetType, targetId, name, label, score, explanation, annotatorKind, identifier',
    examples: [`spandrel ${noun} annotate <id> --name correctness --label correct --score 1`],
    load: async () => (await import('../actions/annotate.ts')).annotate(noun),
  },
  {
    path: [noun, 'add-note'],
    help: `add a note to a ${noun}`,
    arguments: [idOf(noun)],
    flags: [{ name: 'text', kind: 'text', value: 'text', help: 'the note', isRequired: true }, IDENTIFIER],
    fields: 'id, targetType, targetId, text',
    load: async () => (await import('../actions/annotate.ts')).addNote(noun),
  },
  {
    path: [noun, 'delete'],
    help: `delete a ${noun}`,
    arguments: [idOf(noun)],
    flags: [YES],
    fields: DELETION_FIELDS,
    notes: DELETION_NOTES,
    load: deletion,
  },
];

const annotationsOf = (noun: 'trace' | 'span' | 'session'): Command => ({
  path: [`${noun}-annotations`, 'delete'],
  help: `delete ${noun} annotations of a project`,
  isProjectScoped: true,
  flags: [
    { name: 'all', kind: 'switch', help: 'of all times; otherwise both of the next two' },
    { name: 'start-time', kind: 'text', value: 'time', help: 'created from this time, such as 2026-01-31T08:00:00Z' },
    { name: 'end-time', kind: 'text', value: 'time', help: 'created before this time' },
    { name: 'name', kind: 'text', value: 'name', help: 'only of this name' },
    { name: 'identifier', kind: 'text', value: 'text', help: 'only with this identifier' },
    ANNOTATOR_KIND,
    YES,
  ],
  fields: 'deleted, target, filter',
  notes: DELETION_NOTES,
  load: async () => (await import('../actions/delete.ts')).deleteAnnotations(noun),
});

const TRACE_FIELDS = 'traceId, spans[], rootSpan, startTime, endTime, duration (ms), status, annotations[]?, notes[]?';

export const SPAN_COMMANDS: readonly Command[] = [
  {
    path: ['trace', 'list'],
    help: 'list the newest traces, or write each to a file of a folder',
    arguments: [
      { name: 'folder', help: 'one JSON file for each trace goes here', isOptional: true, completion: 'files' },
    ],
    flags: [
      limit('number of traces', 10),
      ...RANGE,
      ...INCLUDES,
      {
        name: 'max-concurrent',
        kind: 'count',
        value: 'count',
        help: 'has no effect; traces are read one after the other',
      },
    ],
    isProjectScoped: true,
    fields: `[${TRACE_FIELDS}]`,
    examples: [
      'spandrel trace list --project my-app --last-n-minutes 60',
      'spandrel trace list traces/ --project my-app -n 100',
    ],
    load: async () => (await import('../actions/traces/traces.ts')).listTraces,
  },
  {
    path: ['trace', 'get'],
    help: 'show a trace as a tree with times, tokens and costs',
    arguments: [{ name: 'id', help: 'trace ID, or its beginning' }],
    flags: [FILE, ...INCLUDES],
    isProjectScoped: true,
    fields: TRACE_FIELDS,
    load: async () => (await import('../actions/traces/traces.ts')).getTrace,
  },
  ...commonOf('trace', async () => (await import('../actions/delete.ts')).deleteTrace),
  annotationsOf('trace'),
  {
    path: ['span', 'list'],
    help: 'list spans, the newest first',
    arguments: [{ name: 'file', help: 'write the JSON to this file', isOptional: true, completion: 'files' }],
    flags: [
      limit('number of spans', 100),
      ...RANGE,
      { name: 'span-kind', kind: 'list', value: 'kind', help: SPAN_KINDS_HELP },
      { name: 'status-code', kind: 'list', value: 'code', help: 'OK, ERROR or UNSET' },
      { name: 'name', kind: 'list', value: 'name', help: 'only of this name' },
      { name: 'trace-id', kind: 'list', value: 'id', help: 'only of this trace' },
      { name: 'span-id', kind: 'list', value: 'id', help: 'only this span' },
      { name: 'parent-id', kind: 'text', value: 'id', help: 'only children of this span; null for root spans' },
      { name: 'attribute', kind: 'list', value: 'key:value', help: 'only with this attribute, such as user.id:7' },
      ...INCLUDES,
    ],
    isProjectScoped: true,
    fields:
      '[id, name, context.trace_id, context.span_id, span_kind, parent_id, start_time, end_time, status_code, status_message, attributes, events]',
    examples: ['spandrel span list --project my-app --status-code ERROR --jsonl --fields name,status_message'],
    load: async () => (await import('../actions/spans.ts')).listSpans,
  },
  ...commonOf('span', async () => (await import('../actions/delete.ts')).deleteSpan),
  annotationsOf('span'),
  {
    path: ['session', 'list'],
    help: 'list sessions, the newest first',
    flags: [
      limit('number of sessions', 10),
      { name: 'order', kind: 'text', value: 'order', help: 'by start time', choices: ['desc', 'asc'], default: 'desc' },
      ...INCLUDES,
    ],
    isProjectScoped: true,
    fields: '[id, session_id, project_id, start_time, end_time, traces[], token_count_total]',
    load: async () => (await import('../actions/sessions.ts')).listSessions,
  },
  {
    path: ['session', 'get'],
    help: 'show a session with its traces',
    arguments: [idOf('session')],
    flags: [FILE, ...INCLUDES],
    fields: 'id, session_id, project_id, start_time, end_time, traces[], token_count_total',
    load: async () => (await import('../actions/sessions.ts')).getSession,
  },
  ...commonOf('session', async () => (await import('../actions/delete.ts')).deleteSession),
  annotationsOf('session'),
];
