import type { Command, Flag } from '../command-line/command.ts';
import { DELETION_FIELDS, DELETION_NOTES, limit, YES } from './flags.ts';

const CONFIG_FLAGS: readonly Flag[] = [
  { name: 'description', kind: 'text', value: 'text', help: 'for the people who annotate' },
  {
    name: 'optimization-direction',
    kind: 'text',
    value: 'direction',
    help: 'what is better',
    choices: ['MAXIMIZE', 'MINIMIZE', 'NONE'],
  },
  { name: 'lower-bound', kind: 'number', value: 'number', help: 'lowest score' },
  { name: 'upper-bound', kind: 'number', value: 'number', help: 'highest score' },
  { name: 'threshold', kind: 'number', value: 'number', help: 'score from which a result passes' },
  { name: 'value', kind: 'list', value: 'label[=score]', help: 'a label to choose' },
  { name: 'values', kind: 'text', value: 'json', help: 'all labels, as [{"label": …, "score": …}]' },
];
const CONFIG_FIELDS = 'id, type, name, description, optimization_direction, values[] or lower_bound and upper_bound';
const CONFIG = { name: 'name', help: 'name or ID of the annotation config' };
const PROJECT = { name: 'name', help: 'name or ID of the project', completion: 'projects' } as const;

export const PROJECT_COMMANDS: readonly Command[] = [
  {
    path: ['project', 'list'],
    help: 'list projects',
    flags: [
      limit('at most this number; otherwise all'),
      { name: 'name-contains', kind: 'text', value: 'text', help: 'only names with this text' },
    ],
    fields: '[id, name, description]',
    load: async () => (await import('../actions/projects.ts')).listProjects,
  },
  {
    path: ['project', 'get'],
    help: 'show a project',
    arguments: [PROJECT],
    flags: [limit('has no effect; the project is read by its name')],
    fields: 'id, name, description',
    load: async () => (await import('../actions/projects.ts')).getProject,
  },
  {
    path: ['project', 'create'],
    help: 'create a project',
    arguments: [{ name: 'name', help: 'name of the new project' }],
    flags: [{ name: 'description', kind: 'text', value: 'text', help: 'what it is for' }],
    fields: 'id, name, description',
    load: async () => (await import('../actions/projects.ts')).createProject,
  },
  {
    path: ['project', 'delete'],
    help: 'delete a project with its traces',
    arguments: [PROJECT],
    flags: [YES],
    fields: DELETION_FIELDS,
    notes: DELETION_NOTES,
    load: async () => (await import('../actions/delete.ts')).deleteProject,
  },
];

export const ANNOTATION_CONFIG_COMMANDS: readonly Command[] = [
  {
    path: ['annotation-config', 'list'],
    help: 'list annotation configs',
    flags: [limit('at most this number; otherwise all')],
    fields: `[${CONFIG_FIELDS}]`,
    load: async () => (await import('../actions/annotation-configs.ts')).listAnnotationConfigs,
  },
  {
    path: ['annotation-config', 'get'],
    help: 'show an annotation config',
    arguments: [CONFIG],
    fields: CONFIG_FIELDS,
    load: async () => (await import('../actions/annotation-configs.ts')).getAnnotationConfig,
  },
  {
    path: ['annotation-config', 'create'],
    help: 'create an annotation config',
    flags: [
      {
        name: 'type',
        kind: 'text',
        value: 'type',
        help: 'kind of values',
        choices: ['CATEGORICAL', 'CONTINUOUS', 'FREEFORM'],
        isRequired: true,
      },
      { name: 'name', kind: 'text', value: 'name', help: 'name of annotations', isRequired: true },
      ...CONFIG_FLAGS,
    ],
    fields: CONFIG_FIELDS,
    examples: [
      'spandrel annotation-config create --type CATEGORICAL --name correctness --value correct=1 --value wrong=0',
    ],
    load: async () => (await import('../actions/annotation-configs.ts')).createAnnotationConfig,
  },
  {
    path: ['annotation-config', 'update'],
    help: 'change an annotation config; what no flag names stays',
    arguments: [CONFIG],
    flags: [{ name: 'name', kind: 'text', value: 'name', help: 'new name' }, ...CONFIG_FLAGS],
    fields: CONFIG_FIELDS,
    load: async () => (await import('../actions/annotation-configs.ts')).updateAnnotationConfig,
  },
  {
    path: ['annotation-config', 'delete'],
    help: 'delete an annotation config; annotations stay',
    arguments: [CONFIG],
    flags: [YES],
    fields: DELETION_FIELDS,
    notes: DELETION_NOTES,
    load: async () => (await import('../actions/delete.ts')).deleteAnnotationConfig,
  },
];

export const API_COMMANDS: readonly Command[] = [
  {
    path: ['api', 'graphql'],
    help: 'send a GraphQL query',
    arguments: [{ name: 'query', help: 'the document, @file, or - for standard input' }],
    flags: [
      { name: 'variables', kind: 'text', value: 'json', help: 'a JSON object' },
      { name: 'curl', kind: 'switch', help: 'print the command for curl instead' },
      { name: 'show-token', kind: 'switch', help: 'with --curl: print the key in it' },
    ],
    fields: 'data, errors[]?',
    examples: ["spandrel api graphql '{ projects { edges { node { name } } } }'"],
    load: async () => (await import('../actions/api.ts')).callGraphql,
  },
  {
    path: ['api'],
    help: 'send a request of the REST API, and print the response as it is',
    arguments: [
      { name: 'method', help: 'GET, POST, PUT, PATCH or DELETE' },
      { name: 'path', help: 'such as /v1/projects' },
    ],
    flags: [
      { name: 'data', short: 'd', kind: 'text', value: 'json', help: 'body: the text, @file, or - for standard input' },
      { name: 'query', short: 'q', kind: 'list', value: 'name=value', help: 'parameter of the address' },
      { name: 'header', short: 'H', kind: 'list', value: 'name=value', help: 'header' },
    ],
    fields: 'that of the server, as it is: GET /openapi.json describes it',
    examples: ['spandrel api GET /v1/projects -q limit=5', `spandrel api POST /v1/projects -d '{"name": "new"}'`],
    load: async () => (await import('../actions/api.ts')).callApi,
  },
];
