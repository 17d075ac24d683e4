import type { Cell, FilePreview, PreviewColumn } from './file-preview.ts';

/** Use of a column. A column has one. */
export const ROLES = ['input', 'output', 'metadata', 'split', 'id', 'none'] as const;
export type Role = (typeof ROLES)[number];

/** Roles by column, and the columns whose objects are replaced by their entries. */
export interface Assignment {
  readonly roles: ReadonlyMap<string, Role>;
  readonly flattened: ReadonlySet<string>;
}

/** Only one column can name the example. */
export function assign({ roles, flattened }: Assignment, column: string, role: Role): Assignment {
  const next = new Map(roles);
  if (role === 'id') for (const [name, other] of roles) if (other === 'id') next.set(name, 'none');
  next.set(column, role);
  return { roles: next, flattened };
}

const NAMES: Readonly<Record<Exclude<Role, 'none'>, readonly string[]>> = {
  input: ['input', 'inputs', 'question', 'query', 'prompt', 'messages', 'instruction', 'user_input', 'text', 'context'],
  output: [
    ...['output', 'outputs', 'answer', 'expected', 'expected_output', 'reference', 'label', 'target', 'completion'],
    ...['response', 'ideal', 'ground_truth', 'gold'],
  ],
  metadata: ['metadata', 'meta'],
  split: ['split', 'splits'],
  id: ['id', 'example_id', 'external_id', 'uuid'],
};

/**
 * Assigns columns by their names. Names that no rule knows become metadata, and the first of them the input if no column
 * has that name.
 *
 * @param knowsExamples Whether IDs of stored examples may be in the file. They have no meaning in a new dataset.
 */
export function autoAssign({ columns, rows }: FilePreview, knowsExamples: boolean): Assignment {
  const roles = new Map<string, Role>();
  const isExport = columns.some(({ name }) => name.startsWith('input.'));
  columns.forEach(({ name }, place) => {
    const role = isExport && name === 'node_id' ? 'none' : roleOfName(name);
    const isForeign = role === 'id' && !knowsExamples && rows?.some((row) => isExampleId(row[place]));
    const isSecond = role === 'id' && [...roles.values()].includes('id');
    roles.set(name, isForeign || isSecond ? 'none' : role);
  });
  const used = new Set(roles.values());
  if (!used.has('input')) {
    const first = columns.find(({ name }) => roles.get(name) === 'metadata');
    if (first) roles.set(first.name, 'input');
  }
  const flattened = columns.filter(({ name, isObject }) => isObject && FLATTENED.has(name)).map(({ name }) => name);
  return { roles, flattened: new Set(flattened) };
}

/** Columns with the whole input, output or metadata of an example. */
const FLATTENED: ReadonlySet<string> = new Set([
  'input',
  'inputs',
  'output',
  'outputs',
  'metadata',
  'meta',
  'expected',
]);

function roleOfName(column: string): Role {
  const name = column
    .toLowerCase()
    .trim()
    .replaceAll(/[\s-]+/g, '_');
  for (const role of ['input', 'output', 'metadata'] as const) if (name.startsWith(`${role}.`)) return role;
  for (const role of ROLES) if (role !== 'none' && NAMES[role].includes(name)) return role;
  if (/^(input|question|prompt|query)s?_/.test(name)) return 'input';
  if (/^(output|answer|expected|reference)s?_/.test(name)) return 'output';
  return 'metadata';
}

/** Whether a text is the global ID of an example of some dataset. */
function isExampleId(cell: Cell): boolean {
  try {
    return cell !== undefined && atob(cell).startsWith('DatasetExample:');
  } catch {
    return false;
  }
}

/** Columns of a role, in the order of the file. */
export const columnsOf = (columns: readonly PreviewColumn[], { roles }: Assignment, role: Role): PreviewColumn[] =>
  columns.filter(({ name }) => (roles.get(name) ?? 'none') === role);

/** Fields of the form of an upload. */
export function toFields(columns: readonly PreviewColumn[], assignment: Assignment): [name: string, value: string][] {
  const names = (role: Role) => columnsOf(columns, assignment, role).map(({ name }) => name);
  const splits = names('split');
  const isDotted = names('input').some((name) => name.startsWith('input.'));
  return [
    ...(['input', 'output', 'metadata'] as const).flatMap((role) =>
      names(role).map((name): [string, string] => [`${role}_keys[]`, name]),
    ),
    ...(splits.length === 1
      ? [['split_key', splits[0]!] as [string, string]]
      : splits.map((name): [string, string] => ['split_keys[]', name])),
    ...names('id').map((name): [string, string] => ['example_id_key', name]),
    // Columns of a download are nested by their names, and then nothing is spread.
    ...(isDotted ? [] : [...assignment.flattened].map((name): [string, string] => ['flatten_keys[]', name])),
  ];
}

export interface PreviewExample {
  readonly id: string | undefined;
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
  readonly splits: readonly string[];
}

/** The first examples that the assignment makes of the file. The server decides about each row. */
export function toExamples({ columns, rows = [] }: FilePreview, assignment: Assignment): PreviewExample[] {
  const places = new Map(columns.map(({ name }, place) => [name, place]));
  return rows.map((row) => {
    const of = (role: Role) =>
      columnsOf(columns, assignment, role).flatMap(({ name, type, isObject }) => {
        const cell = row[places.get(name)!];
        return cell === undefined ? [] : [{ name, type, isObject, cell }];
      });
    const bucket = (role: 'input' | 'output' | 'metadata') => {
      const object = new Map<string, unknown>();
      for (const { name, cell, isObject } of of(role)) {
        const value = isObject ? JSON.parse(cell) : cell;
        if (assignment.flattened.has(name) && isObject)
          for (const [key, each] of Object.entries(value)) object.set(key, each);
        else object.set(name.startsWith(`${role}.`) ? name.slice(role.length + 1) : name, value);
      }
      return `{${[...object].map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')}}`;
    };
    return {
      id: of('id')[0]?.cell,
      input: bucket('input'),
      output: bucket('output'),
      metadata: bucket('metadata'),
      splits: of('split').map(({ cell }) => cell),
    };
  });
}
