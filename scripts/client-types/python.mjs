import { docLines, entriesOf, refName, toPascalCase } from './document.mjs';

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const SCALARS = { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' };

/**
 * A TypedDict for each named schema, and for each operation `<OperationId>Query`, `<OperationId>Body` and
 * `<OperationId>Response`. Python 3.10 has no `NotRequired`, so the required keys are in a base class.
 */
export function toPythonModule({ paths, components }) {
  const types = new PythonTypes();
  for (const [name, schema] of entriesOf(components.schemas)) types.define(name, schema);
  for (const { operationId, parameters = [], requestBody, responses, summary } of operationsOf(paths)) {
    const name = toPascalCase(operationId);
    const query = parameters.filter((parameter) => parameter.in === 'query');
    if (query.length > 0) types.define(`${name}Query`, toQuerySchema(query), `Query of ${operationId}: ${summary}`);
    const body = requestBody?.content['application/json']?.schema;
    if (body) types.define(`${name}Body`, body, `Body of ${operationId}: ${summary}`);
    const success = entriesOf(responses).find(([status]) => status.startsWith('2'))?.[1];
    const response = success?.content?.['application/json']?.schema;
    if (response) types.define(`${name}Response`, response, `Response of ${operationId}: ${summary}`);
  }
  return types.toModule();
}

const operationsOf = (paths) => Object.values(paths).flatMap((methods) => Object.values(methods));

const toQuerySchema = (parameters) => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, schema, description }) => [name, { ...schema, description }])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

class PythonTypes {
  definitions = [];
  names = new Set();

  /** Adds a type of this name. */
  define(name, schema, description = schema.description) {
    this.names.add(name);
    const { type, properties } = schema;
    if (type === 'object' && properties && Object.keys(properties).length > 0)
      this.defineObject(name, schema, description);
    else {
      const text = this.toType(schema, name);
      // At run time an alias is evaluated, so names of types that are defined later are in quotes.
      if (text !== name) this.definitions.push(`${comment(description)}${name} = ${quoteNames(text)}`);
    }
  }

  defineObject(name, { properties, required = [] }, description) {
    const fields = entriesOf(properties).map(([key, field]) => ({
      key,
      type: this.toType(field, `${name}${toPascalCase(key)}`),
      description: field.description,
      isRequired: required.includes(key),
    }));
    if (fields.some(({ key }) => !/^[A-Za-z_]\w*$/.test(key) || KEYWORDS.has(key))) {
      const entries = fields.map(({ key, type }) => `        ${JSON.stringify(key)}: ${JSON.stringify(type)},`);
      const form = `TypedDict(\n    "${name}",\n    {\n${entries.join('\n')}\n    },\n    total=False,\n)`;
      this.definitions.push(`${comment(description)}${name} = ${form}`);
      return;
    }
    const needed = fields.filter(({ isRequired }) => isRequired);
    const optional = fields.filter(({ isRequired }) => !isRequired);
    if (needed.length > 0 && optional.length > 0) {
      this.definitions.push(toClass(`_${name}Required`, 'TypedDict', needed, undefined));
      this.definitions.push(toClass(name, `_${name}Required, total=False`, optional, description));
    } else {
      this.definitions.push(
        toClass(name, needed.length > 0 ? 'TypedDict' : 'TypedDict, total=False', fields, description),
      );
    }
  }

  /** The type of a schema; objects in it get a name that begins with `name`. */
  toType(schema, name) {
    const { $ref, anyOf, type, items, properties } = schema;
    if ($ref) return refName($ref);
    if (Object.hasOwn(schema, 'const')) return `Literal[${toLiteral(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(toLiteral).join(', ')}]`;
    if (anyOf) {
      const options = [...new Set(anyOf.map((option, index) => this.toType(option, this.freeName(name, index))))];
      return options.length === 1 ? options[0] : `Union[${options.join(', ')}]`;
    }
    if (type === 'array') return `List[${items ? this.toType(items, this.freeName(`${name}Item`, 0)) : 'Any'}]`;
    if (type === 'object') {
      if (!properties || Object.keys(properties).length === 0) return 'Dict[str, Any]';
      this.define(name, schema);
      return name;
    }
    return SCALARS[type] ?? 'Any';
  }

  /** A name that no type has yet: the first option of a union has the name itself. */
  freeName(name, index) {
    let free = index === 0 ? name : `${name}${index + 1}`;
    while (this.names.has(free)) free = `${free}_`;
    return free;
  }

  toModule() {
    return `${[
      '# Made by scripts/generate-client-types.mjs from the OpenAPI document of the server.',
      'from __future__ import annotations',
      'from typing import Any, Dict, List, Literal, TypedDict, Union',
    ].join('\n\n')}\n\n${this.definitions.join('\n\n')}\n`;
  }
}

function toClass(name, bases, fields, description) {
  const doc = docLines(description).join('\n    ');
  const lines = fields.flatMap(({ key, type, description: text }) => [
    ...docLines(text).map((line) => `    # ${line}`),
    `    ${key}: ${type}`,
  ]);
  return [
    `class ${name}(${bases}):`,
    ...(doc
      ? [`    """${doc.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}${doc.endsWith('"') ? ' ' : ''}"""`, '']
      : []),
    ...lines,
  ].join('\n');
}

const comment = (text) =>
  docLines(text)
    .map((line) => `# ${line}\n`)
    .join('');

const toLiteral = (value) =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

/** Names of generated types in quotes: `List["Prompt"]`. */
function quoteNames(type) {
  if (type.startsWith('Literal[')) return type;
  return type.replace(/"[^"]*"|\b[A-Z]\w*\b/g, (name) =>
    name.startsWith('"') || ['Any', 'Dict', 'List', 'Literal', 'Union', 'None', 'True', 'False'].includes(name)
      ? name
      : `"${name}"`,
  );
}
