import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  GraphQLObjectType,
  GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { expectPresent } from '../../../base/expect-present.ts';
import type { GraphqlContext } from '../context.ts';
import type { EventSource } from '../subscriptions/event-source.ts';

type Variables = Readonly<Record<string, unknown>>;
type Run = (
  context: GraphqlContext | undefined,
  variables: Variables,
  root?: object,
) => Promise<ExecutionResult> | ExecutionResult;

/** State of the request in which a subscription starts. */
export interface StartContext extends Pick<GraphqlContext, 'domain' | 'storageLock'> {
  /** Fires when the subscription ends, for whatever reason. */
  readonly signal: AbortSignal;
  /** Names of the object types that the operation has fragments for. */
  readonly fragmentTypes: ReadonlySet<string>;
}

/** Opens the events of a subscription field. Set as `subscribe` of the field. */
export type Subscriber = (
  args: Readonly<Record<string, unknown>>,
  context: StartContext,
) => EventSource | Promise<EventSource>;

export interface CompiledSubscription {
  /** Checks variables and arguments, and starts the work. */
  readonly open: (context: Omit<StartContext, 'fragmentTypes'>, variables: Variables) => Promise<EventSource>;
  /** Builds one payload from its source. The context may be absent if nothing is read for it. */
  readonly run: (payload: object, context: GraphqlContext | undefined) => Promise<ExecutionResult> | ExecutionResult;
}

/**
 * Compiles a subscription to a start and to a function that builds payloads. Payloads run the operation without the
 * arguments of its field, so its large input is checked once (docs/decisions/streaming.md).
 *
 * @param compileRun Compiles the operation of payloads.
 */
export function compileSubscription(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  compileRun: (
    payloads: DocumentNode,
    operation: OperationDefinitionNode,
  ) => Run | { readonly errors: readonly GraphQLError[] },
): ((given: Variables) => CompiledSubscription) | { readonly errors: readonly GraphQLError[] } {
  const node = rootField(operation.selectionSet, document);
  if (node.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include')) {
    return { errors: [new GraphQLError('The field of a subscription cannot be skipped', { nodes: node })] };
  }
  const type = expectPresent(schema.getSubscriptionType() ?? undefined, 'validation has found the root type');
  const fields = new Map(Object.entries(type.getFields()));
  const field = expectPresent(fields.get(node.name.value), 'validation has found the field');
  const subscriber = subscriberOf(field);
  const payloads = withoutArguments(schema, document, operation);
  const run = compileRun(payloads.document, payloads.operation);
  if ('errors' in run) return run;
  const fragmentTypes = typeConditions(document);
  const needed = new Set((payloads.operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value));
  return (variables) => {
    const own = Object.fromEntries(Object.entries(variables).filter(([name]) => needed.has(name)));
    return {
      async open(context) {
        const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
        if (errors) throw new InvalidVariables(errors);
        return subscriber(getArgumentValues(field, node, coerced), { ...context, fragmentTypes });
      },
      run: (payload, context) => run(context, own, { [field.name]: payload }),
    };
  };
}

/** Variables that do not fit an operation. */
export class InvalidVariables extends Error {
  override readonly name = 'InvalidVariables';
  readonly errors: readonly GraphQLError[];
  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]?.message);
    this.errors = errors;
  }
}

/** The schema of payloads: the fields of subscriptions have no arguments, and are properties of the root value. */
export function toPayloadSchema(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig();
  const { subscription } = config;
  if (!subscription) return schema;
  const fields = Object.values(subscription.getFields()).map(({ name, type }) => [name, { type }]);
  const root = new GraphQLObjectType({ name: subscription.name, fields: Object.fromEntries(fields) });
  return new GraphQLSchema({
    ...config,
    subscription: root,
    types: config.types.map((type) => (type === subscription ? root : type)),
    assumeValid: true,
  });
}

/** `subscribe` of a field belongs to this server alone, with a type of its own. */
export const subscriberOf = (field: GraphQLField<unknown, unknown>): Subscriber =>
  expectPresent(field.subscribe, 'every subscription has a subscriber') as unknown as Subscriber;

/** The only field of a subscription, which validation has found. */
function rootField({ selections }: SelectionSetNode, document: DocumentNode): FieldNode {
  const [first] = selections;
  if (first?.kind === Kind.FIELD) return first;
  if (first?.kind === Kind.INLINE_FRAGMENT) return rootField(first.selectionSet, document);
  const fragment = document.definitions.find(
    (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === first?.name.value,
  );
  return rootField(
    expectPresent(fragment as { selectionSet: SelectionSetNode } | undefined, 'validated').selectionSet,
    document,
  );
}

/** The operation with its fragments, without the arguments of its field and the variables that only these use. */
function withoutArguments(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): { readonly document: DocumentNode; readonly operation: OperationDefinitionNode } {
  const info = new TypeInfo(schema);
  const own = document.definitions.filter((one) => one === operation || one.kind === Kind.FRAGMENT_DEFINITION);
  const bare = visit(
    { ...document, definitions: own },
    visitWithTypeInfo(info, {
      enter(node) {
        if (node.kind !== Kind.FIELD || info.getParentType() !== schema.getSubscriptionType()) return undefined;
        return { ...node, arguments: [] };
      },
    }),
  );
  const used = new Set<string>();
  visit(bare, {
    enter(node) {
      if (node.kind === Kind.VARIABLE_DEFINITION) return false;
      if (node.kind === Kind.VARIABLE) used.add(node.name.value);
      return undefined;
    },
  });
  const definitions = bare.definitions.map((one) =>
    one.kind === Kind.OPERATION_DEFINITION
      ? {
          ...one,
          variableDefinitions: one.variableDefinitions?.filter(({ variable }) => used.has(variable.name.value)),
        }
      : one,
  );
  return {
    document: { ...bare, definitions },
    operation: definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode,
  };
}

function typeConditions(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, {
    enter(node) {
      const isFragment = node.kind === Kind.INLINE_FRAGMENT || node.kind === Kind.FRAGMENT_DEFINITION;
      if (isFragment && node.typeCondition) names.add(node.typeCondition.name.value);
    },
  });
  return names;
}
