import type { FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';

/** Facts about a field that are known when its operation is compiled. Empty for an operation that is interpreted. */
export interface FieldInfo {
  /** Names of the fields that are requested of the nodes of a connection. Empty for other fields. */
  readonly nodeFields?: ReadonlySet<string>;
  /** Cost of one object of the field's list: the number of fields inside it, including the field itself. */
  readonly cost?: number;
}

interface Selected {
  readonly fieldNodes: readonly FieldNode[];
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
}

/** Includes fields that a directive may omit. */
export function toFieldInfo({ fieldNodes, fragments }: Selected): FieldInfo {
  const below = (fields: readonly FieldNode[], name: string) =>
    fields
      .flatMap(({ selectionSet }) => fieldsOf(selectionSet, fragments))
      .filter((field) => field.name.value === name);
  const nodes = below(below(fieldNodes, 'edges'), 'node');
  const asked = nodes.flatMap(({ selectionSet }) => fieldsOf(selectionSet, fragments));
  return { nodeFields: new Set(asked.map(({ name }) => name.value)), cost: countFields(fieldNodes, fragments) };
}

const countFields = (fields: readonly FieldNode[], fragments: Selected['fragments']): number =>
  fields.reduce((sum, { selectionSet }) => sum + 1 + countFields(fieldsOf(selectionSet, fragments), fragments), 0);

/** Validation ensures that no fragment contains itself. */
function fieldsOf(selections: SelectionSetNode | undefined, fragments: Selected['fragments']): FieldNode[] {
  return (selections?.selections ?? []).flatMap((selection) => {
    if (selection.kind === 'Field') return [selection];
    if (selection.kind === 'InlineFragment') return fieldsOf(selection.selectionSet, fragments);
    return fieldsOf(fragments[selection.name.value]?.selectionSet, fragments);
  });
}
