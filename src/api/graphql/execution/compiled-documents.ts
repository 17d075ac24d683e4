import assert from 'node:assert/strict';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import {
  GRAPHQL_COMPILED_CHARS_MAX,
  GRAPHQL_COMPILED_COUNT_MAX,
  GRAPHQL_COMPILED_FIELD_COUNT_MAX,
  GRAPHQL_DOCUMENT_CHARS_MAX,
  GRAPHQL_TOKEN_COUNT_MAX,
} from '../../../model/limits/graphql.ts';
import type { GraphqlContext } from '../context.ts';
import { toFieldInfo } from '../node-fields.ts';
import { type CompiledSubscription, compileSubscription, toPayloadSchema } from './compiled-subscription.ts';
import { findExcess } from './document-limits.ts';
import { inheritedNamesRule } from './inherited-names.ts';
import { inputDefaults } from './input-defaults.ts';
import { convertLiterals } from './literal-conversions.ts';
import { convertOlderSelections } from './older-documents.ts';
import { type OperationCost, operationCost } from './operation-cost.ts';
import { variableListCheck } from './variable-lists.ts';

export interface CompiledOperation {
  readonly operation: OperationTypeNode;
  /** Estimates the cost in resolved fields, at least and at most. */
  readonly estimateCost: (variables: Variables) => { readonly least: number; readonly most: number };
  /** Returns an error when a list in the variables is too long. */
  readonly checkLists: (variables: Variables) => GraphQLError | undefined;
  readonly run: Run;
  /** Undefined for other operations. `run` is not called for a subscription. */
  readonly subscribe: ((variables: Variables) => CompiledSubscription) | undefined;
}

/** @param root The root value. The context may be absent if no resolver runs. */
type Run = (
  context: GraphqlContext | undefined,
  variables: Variables,
  root?: object,
) => Promise<ExecutionResult> | ExecutionResult;

export type Compiled = CompiledOperation | { readonly errors: readonly GraphQLError[] };

type Variables = Readonly<Record<string, unknown>>;

/**
 * Operations compiled to functions. A compilation costs milliseconds and makes each run several times faster, and a
 * client sends the same few documents. The cache keeps the most recently used documents. It does not keep documents
 * that fail to compile, because they never run.
 */
export class CompiledDocuments {
  readonly #schemas: Schemas;
  /** In order of use, by operation name and text. */
  readonly #compiled = new Map<string, Compiled>();
  #chars = 0;

  constructor(schema: GraphQLSchema) {
    this.#schemas = { schema, payloads: toPayloadSchema(schema) };
  }

  has(text: string, operationName: string | undefined): boolean {
    return this.#compiled.has(keyOf(text, operationName));
  }

  get count(): number {
    return this.#compiled.size;
  }

  get(text: string, operationName: string | undefined): Compiled {
    const key = keyOf(text, operationName);
    const known = this.#compiled.get(key);
    if (known) {
      this.#compiled.delete(key);
      this.#compiled.set(key, known);
      return known;
    }
    const compiled = compile(this.#schemas, text, operationName);
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

const keyOf = (text: string, operationName: string | undefined): string => `${operationName ?? ''}\n${text}`;

interface Schemas {
  readonly schema: GraphQLSchema;
  /** For payloads of subscriptions. */
  readonly payloads: GraphQLSchema;
}

function compile({ schema, payloads }: Schemas, text: string, operationName: string | undefined): Compiled {
  if (text.length > GRAPHQL_DOCUMENT_CHARS_MAX) {
    return {
      errors: [
        new GraphQLError(
          `A GraphQL document may have ${GRAPHQL_DOCUMENT_CHARS_MAX} characters, received ${text.length}; long values belong in variables`,
        ),
      ],
    };
  }
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: GRAPHQL_TOKEN_COUNT_MAX });
  } catch (error) {
    return { errors: [error as GraphQLError] };
  }
  const excess = findExcess(document);
  if (excess) return { errors: [excess] };
  document = convertLiterals(schema, convertOlderSelections(schema, document));
  const errors = validate(schema, document, RULES);
  if (errors.length > 0) return { errors };
  const operation = getOperationAST(document, operationName);
  if (!operation) return { errors: [operationError(operationName)] };
  if (!schema.getRootType(operation.operation)) {
    return { errors: [new GraphQLError(`There are no ${operation.operation}s.`, { nodes: operation })] };
  }
  let cost: OperationCost;
  try {
    cost = operationCost(schema, fragmentsOf(document), operation);
  } catch (error) {
    return { errors: [error as GraphQLError] };
  }
  const withDefaults = inputDefaults(schema, operation);
  const isSubscription = operation.operation === 'subscription';
  const subscribe = isSubscription
    ? compileSubscription(schema, document, operation, (bare, own) => runner(payloads, bare, own, cost.fieldCount))
    : undefined;
  if (subscribe && 'errors' in subscribe) return subscribe;
  const run = isSubscription ? neverRun : runner(schema, document, operation, cost.fieldCount);
  if ('errors' in run) return run;
  return {
    operation: operation.operation,
    estimateCost: (variables) => cost.estimate(withDefaults(variables)),
    checkLists: variableListCheck(schema, operation),
    run: (context, variables) => run(context, withDefaults(variables)),
    subscribe: subscribe && ((variables) => subscribe(withDefaults(variables))),
  };
}

const neverRun: Run = () => assert.fail('a subscription runs once for each payload');

/** Compiles an operation up to the size limit and interprets a larger one. */
function runner(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  fieldCount: number,
): Run | { readonly errors: readonly GraphQLError[] } {
  const operationName = operation.name?.value;
  if (fieldCount > GRAPHQL_COMPILED_FIELD_COUNT_MAX) {
    return (contextValue, variableValues, rootValue = {}) =>
      execute({ schema, document, operationName, rootValue, contextValue, variableValues });
  }
  const compiled = compileQuery(schema, document, operationName, {
    // Without it, an omitted fragment also removes fields that another selection requests.
    useExperimentalPathBasedSkipInclude: true,
    resolverInfoEnricher: toFieldInfo,
  });
  if (!isCompiledQuery(compiled)) return { errors: compiled.errors ?? [] };
  return (context, variables, root = {}) => compiled.query(root, context, variables);
}

const fragmentsOf = ({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])));

const operationError = (operationName: string | undefined): GraphQLError =>
  new GraphQLError(
    operationName === undefined
      ? 'Must provide operation name if query contains multiple operations.'
      : `Unknown operation named "${operationName}".`,
  );
