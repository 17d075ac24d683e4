import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isUnionType,
  Kind,
  type SelectionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Names of types in an older version of the public schema, and those in this one, which have the same fields. */
const TYPE_NAMES = new Map([
  ['SpanAnnotationScoreTimeSeries', 'AnnotationScoreTimeSeries'],
  ['SpanAnnotationScoreTimeSeriesDataPoint', 'AnnotationScoreTimeSeriesDataPoint'],
  ['SpanAnnotationScoreWithLabel', 'AnnotationScoreWithLabel'],
  ['PromptToolFunctionInput', 'PromptToolInput'],
]);

/** Unions that were one of their members, whose fields were selected without a fragment. */
const FORMER_MEMBERS = new Map([['PromptToolFunctionPromptToolRaw', 'PromptToolFunction']]);

/** Unions that were JSON, selected without fields, and the field of their parent that has this JSON. */
const FORMER_JSON = new Map([['PromptInvocationParameters', 'plainInvocationParameters']]);

/**
 * Converts selections and type names of an older version of the public schema to those of this one, where the two exclude each
 * other (docs/decisions/graphql.md). Everything else stays as it is, and validation decides about it.
 */
export function convertOlderSelections(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const renamed = visit(document, {
    NamedType(node) {
      const name = TYPE_NAMES.get(node.name.value);
      return name === undefined ? undefined : { ...node, name: { ...node.name, value: name } };
    },
  });
  const info = new TypeInfo(schema);
  return visit(
    renamed,
    visitWithTypeInfo(info, {
      Field(node) {
        const type = getNamedType(info.getType() ?? undefined);
        if (!isUnionType(type)) return undefined;
        if (!node.selectionSet) return toJsonField(node, FORMER_JSON.get(type.name));
        const member = FORMER_MEMBERS.get(type.name);
        if (member === undefined || !node.selectionSet.selections.some(isOwnField)) return undefined;
        const selections = node.selectionSet.selections.map((one) => (isOwnField(one) ? inFragment(one, member) : one));
        return { ...node, selectionSet: { ...node.selectionSet, selections } };
      },
    }),
  );
}

const isOwnField = (selection: SelectionNode): selection is FieldNode =>
  selection.kind === Kind.FIELD && selection.name.value !== '__typename';

/** The result keeps the name that the document knows. */
const toJsonField = (node: FieldNode, name: string | undefined): FieldNode | undefined =>
  name === undefined ? undefined : { ...node, alias: node.alias ?? node.name, name: { ...node.name, value: name } };

const inFragment = (field: FieldNode, typeName: string): SelectionNode => ({
  kind: Kind.INLINE_FRAGMENT,
  typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: typeName } },
  selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
});
