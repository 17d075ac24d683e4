import { docLines, entriesOf, hasRequiredParameter, refName } from './document.mjs';

/** The interface `paths` that openapi-fetch takes, and a type for each named schema. */
export function toTypeScriptModule({ paths, components }) {
  const schemas = entriesOf(components.schemas).map(([name, schema]) => {
    const type = toType(schema, '');
    return `${docComment(schema.description, '')}export type ${name} = ${type};`;
  });
  const routes = entriesOf(paths).map(([path, methods]) => {
    const operations = entriesOf(methods).map(
      ([method, operation]) => `    ${method}: operations['${operation.operationId}'];`,
    );
    return `  ${quote(path)}: {\n${operations.join('\n')}\n  };`;
  });
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => {
      const comment = docComment([operation.summary, operation.description].filter(Boolean).join('\n'), '  ');
      return `${comment}  ${operation.operationId}: ${toOperation(operation)};`;
    });
  return [
    '// Made by scripts/generate-client-types.mjs from the OpenAPI document of the server.',
    `/** Operations by path and method, for openapi-fetch. */\nexport interface paths {\n${routes.join('\n')}\n}`,
    `/** Operations by their id. */\nexport interface operations {\n${operations.join('\n')}\n}`,
    ...schemas,
  ]
    .join('\n\n')
    .concat('\n');
}

function toOperation({ parameters = [], requestBody, responses }) {
  const groups = ['query', 'path'].flatMap((place) => {
    const fields = parameters.filter((parameter) => parameter.in === place);
    if (fields.length === 0) return [];
    const isOptional = !hasRequiredParameter(fields);
    return [
      `${place}${isOptional ? '?' : ''}: ${block(
        fields.map((field) => parameterLine(field)),
        '      ',
      )};`,
    ];
  });
  const parts = [`parameters: ${groups.length === 0 ? 'Record<never, never>' : block(groups, '    ')};`];
  if (requestBody)
    parts.push(`requestBody: ${block([`content: ${contentType(requestBody.content, '      ')};`], '    ')};`);
  const answers = entriesOf(responses).map(([status, { content }]) => {
    const line = content ? `content: ${contentType(content, '        ')};` : 'content?: never;';
    return `${status}: ${block([line], '      ')};`;
  });
  parts.push(`responses: ${block(answers, '    ')};`);
  return block(parts, '  ');
}

const parameterLine = ({ name, required, description, schema }) =>
  `${docComment(description, '        ').trimStart()}${description ? '        ' : ''}${keyOf(name)}${required ? '' : '?'}: ${toType(schema, '        ')};`;

const contentType = (content, indent) =>
  block(
    entriesOf(content).map(([type, { schema }]) => `${quote(type)}: ${toType(schema, `${indent}  `)};`),
    indent,
  );

/** A schema as a type. `indent` is that of the line in which it begins. */
function toType(schema, indent) {
  const { $ref, anyOf, type, items, properties, required = [], additionalProperties } = schema;
  if ($ref) return refName($ref);
  if (Object.hasOwn(schema, 'const')) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return [...new Set(anyOf.map((option) => toType(option, indent)))].join(' | ');
  if (type === 'array') return `(${items ? toType(items, indent) : 'unknown'})[]`;
  if (type === 'object') {
    if (!properties || Object.keys(properties).length === 0) return recordType(additionalProperties, indent);
    const fields = entriesOf(properties).map(([name, field]) => {
      const comment = docComment(field.description, `${indent}  `).trimStart();
      const isOptional = !required.includes(name);
      return `${comment}${comment ? `${indent}  ` : ''}${keyOf(name)}${isOptional ? '?' : ''}: ${toType(field, `${indent}  `)};`;
    });
    const object = block(fields, indent);
    return additionalProperties === true ? `${object} & Record<string, unknown>` : object;
  }
  return { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }[type] ?? 'unknown';
}

const recordType = (values, indent) =>
  values === false
    ? 'Record<string, never>'
    : `Record<string, ${typeof values === 'object' ? toType(values, indent) : 'unknown'}>`;

const block = (lines, indent) => `{\n${lines.map((line) => `${indent}  ${line}`).join('\n')}\n${indent}}`;

const quote = (text) => `'${text.replaceAll("'", "\\'")}'`;

const keyOf = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

function docComment(text, indent) {
  const lines = docLines(text?.replaceAll('*/', '*\\/'));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
