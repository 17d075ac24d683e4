import type { Command, Flag } from './command.ts';

/** Flags of all commands. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  { name: 'endpoint', kind: 'text', value: 'url', help: 'address of the server' },
  { name: 'api-key', kind: 'text', value: 'key', help: 'key of the server (SPANDREL_API_KEY is safer)' },
  { name: 'profile', kind: 'text', value: 'name', help: 'settings of this profile', completion: 'profiles' },
  {
    name: 'format',
    kind: 'text',
    value: 'format',
    help: 'pretty (the default), json, jsonl, or raw (JSON in one line)',
    choices: ['pretty', 'json', 'raw', 'jsonl', 'text'],
  },
  { name: 'json', kind: 'switch', help: 'one JSON document' },
  { name: 'jsonl', kind: 'switch', help: 'one line of JSON for each item' },
  { name: 'fields', kind: 'text', value: 'a,b.c', help: 'only these fields of the JSON' },
  { name: 'no-progress', kind: 'switch', help: 'no progress on standard error' },
  { name: 'debug', kind: 'switch', help: 'stack traces of errors' },
  { name: 'help', short: 'h', kind: 'switch', help: 'print help' },
];

const PROJECT_FLAG: Flag = {
  name: 'project',
  kind: 'text',
  value: 'name',
  help: 'name or ID of the project (or SPANDREL_PROJECT)',
  completion: 'projects',
};

/** Flags of a command without those of all commands. */
export const flagsOf = ({ flags = [], isProjectScoped }: Command): readonly Flag[] =>
  isProjectScoped ? [...flags, PROJECT_FLAG] : flags;
