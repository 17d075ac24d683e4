import {
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { listCountMax, tooLong } from './operation-cost.ts';

/**
 * Checks the lists in the variables of an operation before they are coerced. Scalar values are not inspected, because
 * JSON may contain any list.
 *
 * @returns The error of the first list that is too long.
 */
export function variableListCheck(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): (variables: Readonly<Record<string, unknown>>) => GraphQLError | undefined {
  const countMax = listCountMax(operation);
  const definitions = (operation.variableDefinitions ?? []).flatMap((node) => {
    const type = typeFromAST(schema, node.type as never) as GraphQLInputType | undefined;
    return type && hasList(type, new Set()) ? [{ name: node.variable.name.value, type, node }] : [];
  });
  return (variables) => {
    for (const { name, type, node } of definitions) {
      const count = longList(type, Object.hasOwn(variables, name) ? variables[name] : undefined, countMax);
      if (count !== undefined)
        return new GraphQLError(tooLong(`Variable "$${name}"`, countMax, count), { nodes: node });
    }
    return undefined;
  };
}

function hasList(type: GraphQLInputType, seen: Set<GraphQLInputType>): boolean {
  if (isListType(type)) return true;
  if (isNonNullType(type)) return hasList(type.ofType, seen);
  if (!isInputObjectType(type) || seen.has(type)) return false;
  seen.add(type);
  return Object.values(type.getFields()).some((field) => hasList(field.type, seen));
}

/** Length of the first list that is too long. */
function longList(type: GraphQLInputType, value: unknown, countMax: number): number | undefined {
  if (isNonNullType(type)) return longList(type.ofType, value, countMax);
  if (typeof value !== 'object' || value === null) return undefined;
  if (isListType(type)) {
    const values = Array.isArray(value) ? value : [value];
    if (values.length > countMax) return values.length;
    return first(values, (one) => longList(type.ofType, one, countMax));
  }
  if (!isInputObjectType(type)) return undefined;
  return first(Object.values(type.getFields()), (field) =>
    longList(field.type, (value as Record<string, unknown>)[field.name], countMax),
  );
}

function first<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
