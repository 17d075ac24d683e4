#!/usr/bin/env node
// From the operations in src/web/**/*.graphql and the server's schema: a typed module beside each, in generated/. A fragment
// may stand in any of the files; it is shared by all.
//
//   node scripts/generate-web-types.mjs           writes them
//   node scripts/generate-web-types.mjs --check   fails when one is not what it would write
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as graphql from 'graphql';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WEB = join(ROOT, 'src/web');
const SCHEMA = join(ROOT, 'src/api/graphql');
const isCheck = process.argv.includes('--check');

const schema = graphql.buildSchema(
  readdirSync(SCHEMA, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(join(SCHEMA, name), 'utf8'))
    .join('\n'),
);
const SCALARS = {
  ID: 'string',
  String: 'string',
  Identifier: 'string',
  DateTime: 'string',
  Int: 'number',
  Float: 'number',
  Numbers: 'readonly number[]',
  Boolean: 'boolean',
};

const fragments = new Map();
const documents = [];
for (const path of readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.graphql'),
)) {
  const source = join(WEB, path);
  const operations = [];
  for (const definition of graphql.parse(readFileSync(source, 'utf8')).definitions) {
    const { value: name } = definition.name;
    if (definition.kind === 'OperationDefinition') operations.push(definition);
    else if (fragments.has(name)) fail(source, `Another file has a fragment ${name}.`);
    else fragments.set(name, definition);
  }
  documents.push({ source, operations });
}
check();

for (const { source, operations } of documents.filter((each) => each.operations.length > 0)) {
  const target = join(dirname(source), 'generated', `${basename(source, '.graphql')}.ts`);
  const text = toModule(source, operations);
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
  if (isCheck) {
    console.error(`${relative(ROOT, target)} is not made of its source: run node scripts/generate-web-types.mjs`);
    process.exitCode = 1;
    continue;
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function fail(source, message) {
  console.error(`${relative(ROOT, source)}: ${message}`);
  process.exit(1);
}

function check() {
  const used = new Set();
  for (const { source, operations } of documents) {
    const definitions = [...operations, ...usedFragments(operations)];
    for (const fragment of usedFragments(operations)) used.add(fragment);
    const errors = operations.length > 0 ? graphql.validate(schema, { kind: 'Document', definitions }) : [];
    if (errors.length > 0) fail(source, errors.map(({ message }) => message).join('\n'));
  }
  for (const [name, fragment] of fragments) if (!used.has(fragment)) fail(WEB, `Nothing uses the fragment ${name}.`);
}

function toModule(source, operations) {
  const depth = '../'.repeat(relative(WEB, dirname(source)).split('/').filter(Boolean).length + 1);
  const parts = [`// Made by scripts/generate-web-types.mjs from ../${basename(source)}.`];
  parts.push(`import type { Operation } from '${depth}data/operation.ts';`);
  for (const operation of operations) {
    const name = operation.name.value;
    const upper = name[0].toUpperCase() + name.slice(1);
    const root = schema.getRootType(operation.operation);
    parts.push(`export type ${upper}Data = ${selectionType(root, operation.selectionSet)};`);
    parts.push(`export type ${upper}Variables = ${variablesType(operation)};`);
    const text = graphql.stripIgnoredCharacters(
      [operation, ...usedFragments([operation])].map(graphql.print).join('\n'),
    );
    const access = operation.operation === 'query' ? '' : `\n  access: '${rightOf(operation)}',`;
    parts.push(
      `export const ${name}: Operation<${upper}Data, ${upper}Variables> = {\n  name: '${name}',\n  text: ${JSON.stringify(text)},${access}\n};`,
    );
  }
  return `${parts.join('\n\n')}\n`;
}

/** The right that the schema demands for the only field of a mutation or subscription. */
function rightOf({ name, operation, selectionSet: { selections } }) {
  if (selections.length !== 1) fail(WEB, `The operation ${name.value} has several fields, whose rights may differ.`);
  const { directives } = schema.getRootType(operation).getFields()[selections[0].name.value].astNode;
  const { value } = directives.find((directive) => directive.name.value === 'access').arguments[0];
  return value.value;
}

/** The fragments that definitions spread, and those that these spread. */
function usedFragments(definitions, seen = new Set()) {
  for (const definition of definitions) {
    graphql.visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment || seen.has(fragment)) return;
        seen.add(fragment);
        usedFragments([fragment], seen);
      },
    });
  }
  return [...seen];
}

/** A union of object types where the selection tells types apart, else one. */
function selectionType(type, selectionSet) {
  if (!graphql.isAbstractType(type)) return objectType(type, selectionSet);
  const named = namedTypes(selectionSet);
  const possible = schema.getPossibleTypes(type);
  if (named.size === 0) return [...new Set(possible.map((it) => objectType(it, selectionSet)))].join(' | ');
  const variants = possible.filter(({ name }) => named.has(name)).map((it) => objectType(it, selectionSet));
  // What is left out is another type to the client; nothing is when the selection names all.
  return [...variants, ...(named.size < possible.length ? ["{ readonly __typename: 'another' }"] : [])].join(' | ');
}

/** Object types for which the selection has something of their own. */
function namedTypes(selectionSet, found = new Set()) {
  for (const selection of selectionSet.selections) {
    if (selection.kind === 'Field') continue;
    const { typeCondition, selectionSet: inner } = fragmentOf(selection);
    const type = typeCondition && schema.getType(typeCondition.name.value);
    if (graphql.isObjectType(type)) found.add(type.name);
    else namedTypes(inner, found);
  }
  return found;
}

function fragmentOf(selection) {
  return selection.kind === 'FragmentSpread' ? fragments.get(selection.name.value) : selection;
}

function objectType(type, selectionSet) {
  const fields = new Map();
  collect(type, selectionSet, fields);
  return `{ ${[...fields].map(([name, text]) => `readonly ${name}: ${text}`).join('; ')} }`;
}

function collect(type, selectionSet, fields) {
  for (const selection of selectionSet.selections) {
    if (selection.kind === 'Field') {
      const key = selection.alias?.value ?? selection.name.value;
      const isOptional = selection.directives.some(({ name }) => ['include', 'skip'].includes(name.value));
      if (selection.name.value === '__typename') fields.set(key, `'${type.name}'`);
      else {
        const text = outputType(type.getFields()[selection.name.value].type, selection.selectionSet);
        fields.set(isOptional ? `${key}?` : key, text);
      }
      continue;
    }
    const { typeCondition, selectionSet: inner } = fragmentOf(selection);
    const condition = typeCondition && schema.getType(typeCondition.name.value);
    const applies =
      !condition || condition === type || (graphql.isAbstractType(condition) && schema.isSubType(condition, type));
    if (applies) collect(type, inner, fields);
  }
}

function outputType(type, selectionSet) {
  if (graphql.isNonNullType(type)) return bareType(type.ofType, selectionSet);
  return `${bareType(type, selectionSet)} | null`;
}

function bareType(type, selectionSet) {
  if (graphql.isListType(type)) return `readonly (${outputType(type.ofType, selectionSet)})[]`;
  if (graphql.isEnumType(type)) return enumType(type);
  if (graphql.isScalarType(type)) return SCALARS[type.name] ?? 'unknown';
  return selectionType(type, selectionSet);
}

function enumType(type) {
  return type
    .getValues()
    .map(({ name }) => `'${name}'`)
    .join(' | ');
}

function variablesType({ variableDefinitions }) {
  const fields = variableDefinitions.map(({ variable, type, defaultValue }) =>
    inputField(variable.name.value, graphql.typeFromAST(schema, type), defaultValue !== undefined),
  );
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`;
}

function inputField(name, type, hasDefault) {
  const isRequired = graphql.isNonNullType(type) && !hasDefault;
  return `readonly ${name}${isRequired ? '' : '?'}: ${inputType(type)}`;
}

function inputType(type) {
  if (graphql.isNonNullType(type)) return bareInputType(type.ofType);
  return `${bareInputType(type)} | null`;
}

function bareInputType(type) {
  if (graphql.isListType(type)) return `readonly (${inputType(type.ofType)})[]`;
  if (graphql.isEnumType(type)) return enumType(type);
  if (graphql.isScalarType(type)) return SCALARS[type.name] ?? 'unknown';
  const fields = Object.values(type.getFields()).map((field) =>
    inputField(field.name, field.type, field.defaultValue !== undefined),
  );
  return `{ ${fields.join('; ')} }`;
}
