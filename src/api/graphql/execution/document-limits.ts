import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import {
  GRAPHQL_ALIAS_COUNT_MAX,
  GRAPHQL_DEPTH_MAX,
  GRAPHQL_EXPANDED_FIELD_COUNT_MAX,
  GRAPHQL_FIELD_COUNT_MAX,
} from '../../../model/limits/graphql.ts';

interface Size {
  /** Nested fields. Fields of introspection do not count, because validation limits them. */
  readonly depth: number;
  /** Fields with expanded fragments. */
  readonly expandedFieldCount: number;
  readonly fieldCount: number;
  readonly aliasCount: number;
}

const EMPTY: Size = { depth: 0, expandedFieldCount: 0, fieldCount: 0, aliasCount: 0 };

/**
 * The limit that a parsed document exceeds before validation: validation takes quadratic time, and compiling expands
 * every fragment. Fragments that contain themselves are left to validation.
 */
export function findExcess(document: DocumentNode): GraphQLError | undefined {
  const fragments = new Map<string, Size>();
  const definitions = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const sizeOfFragment = (name: string): Size => {
    const known = fragments.get(name);
    if (known) return known;
    const definition = definitions.get(name);
    // Also the count of a fragment inside itself.
    fragments.set(name, EMPTY);
    const size = definition ? measure(definition.selectionSet, sizeOfFragment) : EMPTY;
    fragments.set(name, size);
    return size;
  };
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const sizes = operations.map(({ selectionSet }) => measure(selectionSet, sizeOfFragment));
  for (const name of definitions.keys()) sizeOfFragment(name);
  const own = [...sizes, ...fragments.values()];
  return (
    excess(sum(own, 'fieldCount'), GRAPHQL_FIELD_COUNT_MAX, 'Document has too many fields', operations) ??
    excess(sum(own, 'aliasCount'), GRAPHQL_ALIAS_COUNT_MAX, 'Query has too many aliases', operations) ??
    excess(most(sizes, 'depth'), GRAPHQL_DEPTH_MAX, 'Query exceeds the maximum depth', operations) ??
    excess(
      most(sizes, 'expandedFieldCount'),
      GRAPHQL_EXPANDED_FIELD_COUNT_MAX,
      'Query is too costly: it has too many fields after its fragments are expanded',
      operations,
    )
  );
}

function excess(
  count: number,
  countMax: number,
  what: string,
  nodes: readonly OperationDefinitionNode[],
): GraphQLError | undefined {
  return count <= countMax ? undefined : new GraphQLError(`${what}: ${count} found, ${countMax} allowed`, { nodes });
}

function measure(selectionSet: SelectionSetNode, sizeOfFragment: (name: string) => Size): Size {
  let { depth, expandedFieldCount, fieldCount, aliasCount } = EMPTY;
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const size = sizeOfFragment(selection.name.value);
      depth = Math.max(depth, size.depth);
      expandedFieldCount += size.expandedFieldCount;
      continue;
    }
    const inner = selection.selectionSet ? measure(selection.selectionSet, sizeOfFragment) : EMPTY;
    const isField = selection.kind === Kind.FIELD;
    const isIntrospection = isField && selection.name.value.startsWith('__');
    depth = Math.max(depth, isIntrospection ? 0 : inner.depth + (isField ? 1 : 0));
    expandedFieldCount += inner.expandedFieldCount + (isField ? 1 : 0);
    fieldCount += inner.fieldCount + (isField ? 1 : 0);
    aliasCount += inner.aliasCount + (isField && selection.alias ? 1 : 0);
  }
  return { depth, expandedFieldCount, fieldCount, aliasCount };
}

const sum = (sizes: readonly Size[], key: keyof Size): number => sizes.reduce((total, size) => total + size[key], 0);
const most = (sizes: readonly Size[], key: keyof Size): number =>
  sizes.reduce((greatest, size) => Math.max(greatest, size[key]), 0);
