import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { mutationResolvers } from './mutation.ts';
import { projectResolvers } from './project.ts';
import { queryResolvers } from './query.ts';
import type { NodeRef, Resolvers } from './resolvers.ts';
import { defineScalars } from './scalars.ts';
import { sessionResolvers } from './session.ts';
import { ioValueResolvers, spanResolvers } from './span.ts';
import { traceResolvers } from './trace.ts';

/** Types whose fields are computed; the fields of others are properties. */
const RESOLVERS: Readonly<Record<string, Resolvers>> = {
  Query: queryResolvers,
  Mutation: mutationResolvers,
  Project: projectResolvers,
  Trace: traceResolvers,
  Span: spanResolvers,
  SpanIOValue: ioValueResolvers,
  ProjectSession: sessionResolvers,
};

/** The schema of `schema.graphql` with its resolvers. */
export function createSchema(): GraphQLSchema {
  const schema = buildSchema(readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8'));
  defineScalars(schema);
  for (const [typeName, resolvers] of Object.entries(RESOLVERS)) {
    const type = schema.getType(typeName);
    assert(isObjectType(type), `the schema has no type ${typeName}`);
    const fields = type.getFields();
    for (const [name, resolve] of Object.entries(resolvers)) {
      assert(fields[name], `the schema has no field ${typeName}.${name}`);
      fields[name].resolve = resolve;
    }
    // A node is its row id alone, so it has no properties that could stand for a field.
    const unresolved = Object.keys(fields).filter((name) => typeName !== 'SpanIOValue' && !resolvers[name]);
    assert.deepEqual(unresolved, [], `fields of ${typeName} without a resolver`);
  }
  const node = schema.getType('Node');
  assert(isInterfaceType(node), 'the schema has the interface Node');
  node.resolveType = (source) => (source as NodeRef).type;
  return schema;
}
