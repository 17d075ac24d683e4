import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';

/** A property of a JSON schema. */
export interface SchemaRow {
  /** Names from the root, with `[]` for the items of a list. */
  readonly path: string;
  readonly depth: number;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  /** Allowed values as JSON. */
  readonly values: readonly string[];
}

const DEPTH_MAX = 6;
const ROW_COUNT_MAX = 500;

/** Properties of a JSON schema in their order, parents first. Undefined for a schema that has none. */
export function toSchemaRows(schema: JsonObject): readonly SchemaRow[] | undefined {
  const rows: SchemaRow[] = [];
  addProperties(schema, { path: '', depth: 0 }, rows);
  return rows.length === 0 ? undefined : rows;
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

function addProperties(schema: JsonObject, { path, depth }: Place, rows: SchemaRow[]): void {
  const properties = own(schema, 'properties');
  if (!isObject(properties) || depth > DEPTH_MAX) return;
  const required = own(schema, 'required');
  for (const [name, property] of Object.entries(properties)) {
    if (rows.length >= ROW_COUNT_MAX) return;
    if (!isObject(property)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const description = own(property, 'description');
    const items = own(property, 'items');
    const values = own(property, 'enum') ?? (isObject(items) ? own(items, 'enum') : undefined);
    rows.push({
      path: at,
      depth,
      type: typeOf(property),
      isRequired: Array.isArray(required) && required.includes(name),
      description: typeof description === 'string' ? description : undefined,
      values: Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : [],
    });
    addProperties(property, { path: at, depth: depth + 1 }, rows);
    if (isObject(items)) addProperties(items, { path: `${at}[]`, depth: depth + 1 }, rows);
  }
}

function typeOf(property: JsonObject): string {
  const type = own(property, 'type');
  const items = own(property, 'items');
  if (type === 'array' && isObject(items)) return `list of ${typeOf(items)}`;
  if (Array.isArray(type)) return type.map(String).join(' or ');
  return typeof type === 'string' ? type : 'any';
}

const own = (value: JsonObject, key: string): Json | undefined => (Object.hasOwn(value, key) ? value[key] : undefined);
