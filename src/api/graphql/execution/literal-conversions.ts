import {
  type DocumentNode,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { InputConversion } from './input-defaults.ts';

/**
 * Converts older forms of inputs in the text of a document, as `inputDefaults` does in variables, so that validation sees the
 * present form. Variables inside of a converted value keep their place.
 */
export function convertLiterals(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const info = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(info, {
      enter(node) {
        if (node.kind !== Kind.OBJECT) return undefined;
        const type = getNamedType(info.getInputType() ?? undefined);
        if (!isInputObjectType(type)) return undefined;
        const { convert } = type.extensions as { readonly convert?: InputConversion };
        if (!convert) return undefined;
        const leaves: Leaves = new Map();
        const value = toValue(node, leaves) as Fields;
        const converted = convert(value);
        return converted === value ? undefined : toNode(converted, type, leaves);
      },
    }),
  );
}

type Fields = Readonly<Record<string, unknown>>;
/** Nodes that have no value in the document, or one that must not change, by the symbols in their place. */
type Leaves = Map<symbol, ValueNode>;

function toValue(node: ValueNode, leaves: Leaves): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, toValue(value, leaves)]));
    case Kind.LIST:
      return node.values.map((value) => toValue(value, leaves));
    case Kind.STRING:
    case Kind.ENUM:
      return node.value;
    case Kind.NULL:
      return null;
    default: {
      const leaf = Symbol(node.kind);
      leaves.set(leaf, node);
      return leaf;
    }
  }
}

/** @param type Undefined inside of a scalar, whose value has any form. */
function toNode(value: unknown, type: GraphQLType | undefined, leaves: Leaves): ValueNode {
  if (isNonNullType(type)) return toNode(value, type.ofType, leaves);
  if (typeof value === 'symbol') return leaves.get(value) ?? { kind: Kind.NULL };
  if (Array.isArray(value)) {
    const itemType = isListType(type) ? type.ofType : undefined;
    return { kind: Kind.LIST, values: value.map((item) => toNode(item, itemType, leaves)) };
  }
  // A single value stands for a list of one.
  const single = type && getNamedType(type);
  if (typeof value === 'object' && value !== null) {
    const fields = isInputObjectType(single) ? single.getFields() : {};
    return {
      kind: Kind.OBJECT,
      fields: Object.entries(value).map(([name, field]) => ({
        kind: Kind.OBJECT_FIELD,
        name: { kind: Kind.NAME, value: name },
        value: toNode(field, Object.hasOwn(fields, name) ? fields[name]?.type : undefined, leaves),
      })),
    };
  }
  if (typeof value === 'string') return { kind: isEnumType(single) ? Kind.ENUM : Kind.STRING, value };
  if (typeof value === 'boolean') return { kind: Kind.BOOLEAN, value };
  if (typeof value === 'number') return { kind: Kind.INT, value: String(value) };
  return { kind: Kind.NULL };
}
