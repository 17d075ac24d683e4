import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';

type Variables = Record<string, unknown>;

/**
 * Variables with the defaults of input fields that are absent. Compiled queries refuse an absent field that must not be
 * null although it has a default.
 */
export function inputDefaults(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): (given: Variables) => Variables {
  const types = (operation.variableDefinitions ?? []).flatMap(({ variable, type }) => {
    const inputType = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    return inputType && holdsFields(inputType) ? [[variable.name.value, inputType] as const] : [];
  });
  if (types.length === 0) return (given) => given;
  return (given) => {
    const filled = { ...given };
    for (const [name, type] of types) if (Object.hasOwn(given, name)) filled[name] = fill(type, given[name]);
    return filled;
  };
}

function holdsFields(type: GraphQLInputType): boolean {
  return isNonNullType(type) || isListType(type) ? holdsFields(type.ofType) : isInputObjectType(type);
}

/** What is no value of the type is left as it is, for whoever checks it. */
function fill(type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) return fill(type.ofType, value);
  if (isListType(type))
    return Array.isArray(value) ? value.map((item) => fill(type.ofType, item)) : fill(type.ofType, value);
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const filled: Variables = { ...value };
  for (const field of Object.values(type.getFields())) {
    if (Object.hasOwn(value, field.name)) filled[field.name] = fill(field.type, filled[field.name]);
    else if (field.astNode?.defaultValue) filled[field.name] = valueFromASTUntyped(field.astNode.defaultValue);
  }
  return filled;
}
