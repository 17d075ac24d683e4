import assert from 'node:assert/strict';
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

/** Converts older forms of the values of an input type. */
export type InputConversion = (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/**
 * Sets the conversion of an input type, which is applied to variables and to values in documents before they are checked. It
 * returns the same object if there is nothing to convert, and passes on values that it does not know.
 */
export function setConversion(schema: GraphQLSchema, typeName: string, convert: InputConversion): void {
  const type = schema.getType(typeName);
  assert(isInputObjectType(type), `the schema has no input type ${typeName}`);
  type.extensions = { ...type.extensions, convert };
}

/**
 * Adds the defaults of absent variables and input fields, and converts older forms of inputs. Compiled queries reject an
 * absent value that must not be null even if it has a default.
 */
export function inputDefaults(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): (given: Variables) => Variables {
  const definitions = operation.variableDefinitions ?? [];
  const types = definitions.flatMap(({ variable, type }) => {
    const inputType = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    return inputType && holdsFields(inputType) ? [[variable.name.value, inputType] as const] : [];
  });
  const defaults = definitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  if (types.length === 0 && defaults.length === 0) return (given) => given;
  return (given) => {
    const filled = { ...Object.fromEntries(defaults), ...given };
    for (const [name, type] of types) if (Object.hasOwn(filled, name)) filled[name] = fill(type, filled[name]);
    return filled;
  };
}

function holdsFields(type: GraphQLInputType): boolean {
  return isNonNullType(type) || isListType(type) ? holdsFields(type.ofType) : isInputObjectType(type);
}

/** Leaves a value of another type unchanged, because the later validation reports it. */
function fill(type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) return fill(type.ofType, value);
  if (isListType(type))
    return Array.isArray(value) ? value.map((item) => fill(type.ofType, item)) : fill(type.ofType, value);
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { convert } = type.extensions as { readonly convert?: InputConversion };
  const filled: Variables = { ...(convert ? convert(value as Variables) : value) };
  for (const field of Object.values(type.getFields())) {
    if (Object.hasOwn(filled, field.name)) filled[field.name] = fill(field.type, filled[field.name]);
    else if (field.astNode?.defaultValue) filled[field.name] = valueFromASTUntyped(field.astNode.defaultValue);
  }
  return filled;
}
