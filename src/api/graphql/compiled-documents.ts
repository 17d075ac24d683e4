import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { GRAPHQL_COMPILED_CHARS_MAX, GRAPHQL_COMPILED_COUNT_MAX, GRAPHQL_TOKEN_COUNT_MAX } from '../../model/limits.ts';
import { findExcess } from './document-limits.ts';
import { inheritedNamesRule } from './inherited-names.ts';
import { inputDefaults } from './input-defaults.ts';
import { toFieldInfo } from './node-fields.ts';

export type Compiled =
  | { readonly operation: OperationTypeNode; readonly query: CompiledQuery['query'] }
  | { readonly errors: readonly GraphQLError[] };

/**
 * Operations turned into functions, which costs milliseconds and makes each run several times faster; a client sends
 * the same few documents. Those used last are kept. What does not compile is not: whoever sends it gains nothing.
 */
export class CompiledDocuments {
  readonly #schema: GraphQLSchema;
  /** In order of use, by operation name and text. */
  readonly #compiled = new Map<string, Compiled>();
  #chars = 0;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  get count(): number {
    return this.#compiled.size;
  }

  get(text: string, operationName: string | undefined): Compiled {
    const key = `${operationName ?? ''}\n${text}`;
    const known = this.#compiled.get(key);
    if (known) {
      this.#compiled.delete(key);
      this.#compiled.set(key, known);
      return known;
    }
    const compiled = compile(this.#schema, text, operationName);
    if (!('errors' in compiled)) this.#keep(key, compiled);
    return compiled;
  }

  #keep(key: string, compiled: Compiled): void {
    this.#compiled.set(key, compiled);
    this.#chars += key.length;
    for (const oldest of this.#compiled.keys()) {
      if (this.#compiled.size <= GRAPHQL_COMPILED_COUNT_MAX && this.#chars <= GRAPHQL_COMPILED_CHARS_MAX) break;
      this.#compiled.delete(oldest);
      this.#chars -= oldest.length;
    }
  }
}

const RULES = [...specifiedRules, inheritedNamesRule];

function compile(schema: GraphQLSchema, text: string, operationName: string | undefined): Compiled {
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: GRAPHQL_TOKEN_COUNT_MAX });
  } catch (error) {
    return { errors: [error as GraphQLError] };
  }
  const excess = findExcess(document);
  if (excess) return { errors: [excess] };
  const errors = validate(schema, document, RULES);
  if (errors.length > 0) return { errors };
  const operation = getOperationAST(document, operationName);
  if (!operation) return { errors: [operationError(operationName)] };
  if (!schema.getRootType(operation.operation)) {
    return { errors: [new GraphQLError(`There are no ${operation.operation}s.`, { nodes: operation })] };
  }
  const compiled = compileQuery(schema, document, operation.name?.value, {
    // Without it a fragment that is left out takes with it fields that another selection asks for.
    useExperimentalPathBasedSkipInclude: true,
    resolverInfoEnricher: toFieldInfo,
  });
  if (!isCompiledQuery(compiled)) return { errors: compiled.errors ?? [] };
  const withDefaults = inputDefaults(schema, operation);
  return {
    operation: operation.operation,
    query: (root, context, variables) => compiled.query(root, context, withDefaults(variables ?? {})),
  };
}

const operationError = (operationName: string | undefined): GraphQLError =>
  new GraphQLError(
    operationName === undefined
      ? 'Must provide operation name if query contains multiple operations.'
      : `Unknown operation named "${operationName}".`,
  );
