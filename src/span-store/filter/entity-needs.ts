import type { EntityFilter } from '../../filter/entities/entity-filter.ts';

/** Data that a filter of sessions or traces reads. */
export interface EntityNeeds {
  /** Names of fields and collections of any entity. */
  readonly names: ReadonlySet<string>;
  /** Whether it reads attributes of the root span of the entity. */
  readonly attributes: boolean;
  /** Whether it reads annotations of the entity. */
  readonly annotations: boolean;
}

export function needsOf(filter: EntityFilter): EntityNeeds {
  const names = new Set<string>();
  let attributes = false;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { kind, field, collection } = node as { kind?: unknown; field?: unknown; collection?: unknown };
    if (kind === 'attribute') attributes = true;
    if (typeof field === 'string') names.add(field);
    if (typeof collection === 'string') names.add(collection);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(filter.condition);
  return { names, attributes, annotations: filter.annotations.length > 0 };
}

export const needsAny = ({ names }: EntityNeeds, ...wanted: readonly string[]): boolean =>
  wanted.some((name) => names.has(name));
