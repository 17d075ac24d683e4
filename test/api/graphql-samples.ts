import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';

/** A document with one field and the smallest values for its required arguments. */
export function sampleDocument(
  operation: 'query' | 'mutation',
  { name, args, type }: GraphQLField<unknown, unknown>,
): string {
  const required = args.filter((argument) => isRequiredInputField(argument));
  const values = required.map((argument) => `${argument.name}: ${sampleValue(argument.type)}`).join(', ');
  const selection = isCompositeType(getNamedType(type)) ? ' {__typename}' : '';
  return `${operation} {${name}${values && `(${values})`}${selection}}`;
}

/** GraphQL text of the smallest value of a type. */
export function sampleValue(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sampleValue(type.ofType);
  if (isListType(type)) return `[${sampleValue(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) {
    const all = Object.values(type.getFields());
    const fields = type.isOneOf ? all.slice(0, 1) : all.filter(isRequiredInputField);
    return `{${fields.map((field) => `${field.name}: ${sampleValue(field.type)}`).join(', ')}}`;
  }
  return SAMPLES[type.name] ?? '"x"';
}

const SAMPLES: Readonly<Record<string, string>> = { Int: '1', Float: '1', Boolean: 'true', JSON: '{}' };
