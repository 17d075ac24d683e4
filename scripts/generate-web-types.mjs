#!/usr/bin/env node
// From the operations in src/web/**/*.graphql and the server's schema: a typed module beside each, in generated/.
//
//   node scripts/generate-web-types.mjs           writes them
//   node scripts/generate-web-types.mjs --check   fails when one is not what it would write
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as graphql from 'graphql';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WEB = join(ROOT, 'src/web');
const SCHEMA = join(ROOT, 'src/api/graphql/schema');
const isCheck = process.argv.includes('--check');

const schema = graphql.buildSchema(
  readdirSync(SCHEMA)
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => readFileSync(join(SCHEMA, name), 'utf8'))
    .join('\n'),
);
const SCALARS = {
  ID: 'string',
  String: 'string',
  DateTime: 'string',
  Int: 'number',
  Float: 'number',
  Numbers: 'readonly number[]',
  Boolean: 'boolean',
};

for (const path of readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.graphql'),
)) {
  const source = join(WEB, path);
  const target = join(dirname(source), 'generated', `${basename(source, '.graphql')}.ts`);
  const text = toModule(source);
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
  if (isCheck) {
    console.error(`${relative(ROOT, target)} is not made of its source: run node scripts/generate-web-types.mjs`);
    process.exitCode = 1;
    continue;
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function toModule(source) {
  const document = graphql.parse(readFileSync(source, 'utf8'));
  const errors = graphql.validate(schema, document, graphql.specifiedRules);
  if (errors.length > 0) {
    console.error(errors.map((error) => `${relative(ROOT, source)}: ${error.message}`).join('\n'));
    process.exit(1);
  }
  const fragments = new Map(
    document.definitions.filter(({ kind }) => kind === 'FragmentDefinition').map((it) => [it.name.value, it]),
  );
  const operations = document.definitions.filter(({ kind }) => kind === 'OperationDefinition');
  const depth = '../'.repeat(relative(WEB, dirname(source)).split('/').filter(Boolean).length + 1);
  const parts = [`// Made by scripts/generate-web-types.mjs from ../${basename(source)}.`];
  parts.push(`import type { Operation } from '${depth}data/operation.ts';`);
  for (const operation of operations) {
    const name = operation.name.value;
    const upper = name[0].toUpperCase() + name.slice(1);
    const root = operation.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
    parts.push(`export type ${upper}Data = ${selectionType(root, operation.selectionSet, fragments)};`);
    parts.push(`export type ${upper}Variables = ${variablesType(operation)};`);
    const text = graphql.stripIgnoredCharacters(
      [operation, ...usedFragments(operation, fragments)].map(graphql.print).join('\n'),
    );
    parts.push(
      `export const ${name}: Operation<${upper}Data, ${upper}Variables> = {\n  name: '${name}',\n  text: ${JSON.stringify(text)},\n};`,
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function usedFragments(node, fragments, seen = new Set()) {
  graphql.visit(node, {
    FragmentSpread({ name }) {
      if (seen.has(name.value)) return;
      seen.add(name.value);
      usedFragments(fragments.get(name.value), fragments, seen);
    },
  });
  return [...seen].map((name) => fragments.get(name));
}

/** A union of object types where the selection tells types apart, else one. */
function selectionType(type, selectionSet, fragments) {
  if (!graphql.isAbstractType(type)) return objectType(type, selectionSet, fragments);
  const possible = schema.getPossibleTypes(type);
  const named = possible.filter((it) =>
    selectionSet.selections.some((each) => conditionOf(each, fragments) === it.name),
  );
  const variants = named.map((it) => objectType(it, selectionSet, fragments));
  return [...variants, "{ readonly __typename: 'another' }"].join(' | ');
}

function conditionOf(selection, fragments) {
  return selection.kind === 'FragmentSpread'
    ? fragments.get(selection.name.value).typeCondition.name.value
    : selection.typeCondition?.name.value;
}

function objectType(type, selectionSet, fragments) {
  const fields = new Map();
  collect(type, selectionSet, fragments, fields);
  return `{ ${[...fields].map(([name, text]) => `readonly ${name}: ${text}`).join('; ')} }`;
}

function collect(type, selectionSet, fragments, fields) {
  for (const selection of selectionSet.selections) {
    if (selection.kind === 'Field') {
      const key = selection.alias?.value ?? selection.name.value;
      const isOptional = selection.directives.some(({ name }) => ['include', 'skip'].includes(name.value));
      if (selection.name.value === '__typename') fields.set(key, `'${type.name}'`);
      else {
        const text = outputType(type.getFields()[selection.name.value].type, selection.selectionSet, fragments);
        fields.set(isOptional ? `${key}?` : key, text);
      }
      continue;
    }
    const condition = conditionOf(selection, fragments);
    if (condition !== undefined && condition !== type.name) continue;
    const inner = selection.kind === 'FragmentSpread' ? fragments.get(selection.name.value) : selection;
    collect(type, inner.selectionSet, fragments, fields);
  }
}

function outputType(type, selectionSet, fragments) {
  if (graphql.isNonNullType(type)) return bareType(type.ofType, selectionSet, fragments);
  return `${bareType(type, selectionSet, fragments)} | null`;
}

function bareType(type, selectionSet, fragments) {
  if (graphql.isListType(type)) return `readonly (${outputType(type.ofType, selectionSet, fragments)})[]`;
  if (graphql.isEnumType(type)) return enumType(type);
  if (graphql.isScalarType(type)) return SCALARS[type.name] ?? 'unknown';
  return selectionType(type, selectionSet, fragments);
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
