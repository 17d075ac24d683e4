import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { expectPresent } from '../../../base/expect-present.ts';
import type { ErrorCode } from '../../../model/errors.ts';
import {
  GRAPHQL_EXPANDED_FIELD_COUNT_MAX,
  GRAPHQL_INTROSPECTION_COUNT_MAX,
  GRAPHQL_MUTATION_LIST_COUNT_MAX,
  GRAPHQL_QUERY_LIST_COUNT_MAX,
  GRAPHQL_READ_COST,
  GRAPHQL_UNKNOWN_LIST_COUNT,
} from '../../../model/limits/graphql.ts';

type Variables = Readonly<Record<string, unknown>>;
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;
/** Computes a value from the variables of one request. */
type ForVariables<Value> = (variables: Variables) => Value;
/** Computes a cost. `page` is the largest page around the field, or undefined if pages inside each other multiply. */
type Cost = (variables: Variables, page: number | undefined) => number;

export const listCountMax = ({ operation }: OperationDefinitionNode): number =>
  operation === 'mutation' ? GRAPHQL_MUTATION_LIST_COUNT_MAX : GRAPHQL_QUERY_LIST_COUNT_MAX;

export interface OperationCost {
  /** Number of fields after fragments are expanded, counted once for each type of an interface or union. */
  readonly fieldCount: number;
  /**
   * Estimates the number of resolved fields. For a union or interface, the most expensive type counts. `least` counts what the
   * arguments and aliases demand. A list of IDs counts as often as it is long, and of pages inside each other the largest one
   * counts, because only the data tells whether the objects of a page have full pages themselves. `most` multiplies them.
   */
  readonly estimate: ForVariables<{ readonly least: number; readonly most: number }>;
}

/**
 * Computes the cost of a valid operation.
 *
 * @throws {GraphQLError} when it has too many fields, or a list in it has too many values
 */
export function operationCost(
  schema: GraphQLSchema,
  fragments: Fragments,
  operation: OperationDefinitionNode,
): OperationCost {
  let fieldCount = 0;
  let introspectionCount = 0;
  const countMax = listCountMax(operation);

  function costOfSelections(
    type: GraphQLNamedType,
    selections: readonly SelectionSetNode[],
    edgeCount: ForVariables<number>,
  ): Cost {
    if (isAbstractType(type)) {
      const types = schema.getPossibleTypes(type);
      const costs = types.map((possible) => costOfSelections(possible, selections, edgeCount));
      return (variables, page) => Math.max(...costs.map((cost) => cost(variables, page)));
    }
    const costs = Array.from(fieldsOf(schema, fragments, type, selections).values(), (nodes) =>
      costOfField(type, nodes, edgeCount),
    );
    return (variables, page) => costs.reduce((sum, cost) => sum + cost(variables, page), 0);
  }

  function costOfField(type: GraphQLNamedType, nodes: readonly FieldNode[], edgeCount: ForVariables<number>): Cost {
    const node = expectPresent(nodes[0], 'a field is selected by a node');
    if (node.name.value === '__typename') return () => 1;
    if (++fieldCount > GRAPHQL_EXPANDED_FIELD_COUNT_MAX) {
      throw new GraphQLError(
        `Query is too costly: with expanded fragments, counted once for each type of a union or interface, it has more than ${GRAPHQL_EXPANDED_FIELD_COUNT_MAX} fields`,
        { nodes: node, extensions: TOO_COSTLY },
      );
    }
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) {
      // Validation limits the depth of the recursion.
      if (node.name.value.startsWith('__') && ++introspectionCount > GRAPHQL_INTROSPECTION_COUNT_MAX) {
        throw new GraphQLError(
          `Query is too costly: it may ask for the schema ${GRAPHQL_INTROSPECTION_COUNT_MAX} times, and asks more often`,
          { nodes: node, extensions: TOO_COSTLY },
        );
      }
      return () => 1;
    }
    checkLiteralLists(node, countMax);
    const own = asksStore(field) ? GRAPHQL_READ_COST : 1;
    const named = getNamedType(field.type);
    if (!isCompositeType(named)) return () => own;
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const inside = costOfSelections(named, selections, pageCount(field, node));
    if (!isListType(getNullableType(field.type))) return (variables, page) => own + inside(variables, page);
    if (type.name.endsWith('Connection')) {
      return (variables, page) => {
        const size = edgeCount(variables);
        if (page === undefined) return own + size * inside(variables, undefined);
        return own + Math.max(1, size / page) * inside(variables, Math.max(size, page));
      };
    }
    const idCount = listCount(field, node);
    return (variables, page) =>
      own + (idCount(variables) ?? (page === undefined ? GRAPHQL_UNKNOWN_LIST_COUNT : 1)) * inside(variables, page);
  }

  const root = expectPresent(
    schema.getRootType(operation.operation) ?? undefined,
    'validation has found the root type',
  );
  const cost = costOfSelections(root, [operation.selectionSet], () => GRAPHQL_UNKNOWN_LIST_COUNT);
  return { fieldCount, estimate: (variables) => ({ least: cost(variables, 1), most: cost(variables, undefined) }) };
}

/** Fields of an object by their name in the response. */
function fieldsOf(
  schema: GraphQLSchema,
  fragments: Fragments,
  type: GraphQLNamedType,
  selections: readonly SelectionSetNode[],
): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const applies = (condition: string | undefined) => {
    if (condition === undefined || condition === type.name) return true;
    const wanted = schema.getType(condition);
    return isAbstractType(wanted) && isObjectType(type) && schema.isSubType(wanted, type);
  };
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const nodes = fields.get(name);
        if (nodes) nodes.push(selection);
        else fields.set(name, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(selection.typeCondition?.name.value)) collect(selection.selectionSet);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = expectPresent(fragments.get(selection.name.value), 'validation has found the fragment');
        if (applies(fragment.typeCondition.name.value)) collect(fragment.selectionSet);
      }
    }
  };
  for (const set of selections) collect(set);
  return fields;
}

/** Arguments of fields that a loader cannot batch over many objects. */
const READING_ARGUMENTS: ReadonlySet<string> = new Set([
  'first',
  'timeRange',
  'filterCondition',
  'sessionFilterCondition',
  'condition',
  'traceId',
]);

/** Whether a field has a store query of its own, which no loader batches. */
export const asksStore = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.some(({ name }) => READING_ARGUMENTS.has(name));

/** Number of edges of a connection according to `first` and `last`. */
function pageCount(field: GraphQLField<unknown, unknown>, node: FieldNode): ForVariables<number> {
  const bounds = ['first', 'last'].flatMap((name) => {
    const argument = field.args.find((one) => one.name === name);
    const value = node.arguments?.find((one) => one.name.value === name)?.value;
    return argument ? [value ? argumentValue(value) : () => argument.defaultValue] : [];
  });
  return (variables) => {
    const counts = bounds.map((bound) => bound(variables)).filter((count) => typeof count === 'number');
    return counts.length > 0 ? Math.max(0, Math.min(...counts)) : GRAPHQL_UNKNOWN_LIST_COUNT;
  };
}

/** Number of objects in a list, which is the length of its argument when that is a list of IDs. Undefined: unknown. */
function listCount(field: GraphQLField<unknown, unknown>, node: FieldNode): ForVariables<number | undefined> {
  const lists = (node.arguments ?? []).flatMap(({ name, value }) => {
    const argument = field.args.find((one) => one.name === name.value);
    return argument && isListType(getNullableType(argument.type)) ? [argumentValue(value)] : [];
  });
  if (lists.length === 0) return () => undefined;
  return (variables) =>
    Math.max(
      ...lists.map((list) => {
        const value = list(variables);
        return Array.isArray(value) ? value.length : 1;
      }),
    );
}

function argumentValue(value: ValueNode): ForVariables<unknown> {
  if (value.kind === Kind.VARIABLE) {
    const name = value.name.value;
    return (variables) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  }
  if (value.kind === Kind.INT) return () => Number(value.value);
  if (value.kind === Kind.LIST) return () => value.values;
  return () => undefined;
}

const TOO_COSTLY = { code: 'QUERY_TOO_COSTLY' } as const satisfies { readonly code: ErrorCode };

/** Checks literal lists in arguments. The token limit of the document covers lists inside literal objects. */
function checkLiteralLists({ name, arguments: given = [] }: FieldNode, countMax: number): void {
  for (const argument of given) {
    const { value } = argument;
    if (value.kind !== Kind.LIST || value.values.length <= countMax) continue;
    throw new GraphQLError(
      tooLong(`Argument "${argument.name.value}" of "${name.value}"`, countMax, value.values.length),
      {
        nodes: argument,
      },
    );
  }
}

export const tooLong = (what: string, countMax: number, count: number): string =>
  `${what} expected a list of at most ${countMax} values, received ${count}`;
