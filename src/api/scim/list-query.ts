import type { DirectoryQuery } from '../../model/access/directory-filter.ts';
import { SCIM_PAGE_ROW_COUNT, SCIM_PAGE_ROW_COUNT_MAX } from '../../model/limits/identity-providers.ts';
import { parseFilter } from './parse-filter.ts';
import { type FilterAttributes, resolveFilter } from './resolve-filter.ts';
import { ScimError } from './scim-error.ts';

/** Which attributes a response has. `id` and `schemas` are always there. */
export interface Selection {
  /** Names in lower case. Undefined: all. */
  readonly attributes: ReadonlySet<string> | undefined;
  readonly excluded: ReadonlySet<string>;
}

export interface ListQuery<Field extends string> extends DirectoryQuery<Field> {
  /** One for the first resource. */
  readonly startIndex: number;
}

/** @throws {ScimError} `invalidFilter`, `invalidValue`, `invalidPath` */
export function readListQuery<Field extends string>(
  query: URLSearchParams,
  attributes: FilterAttributes<Field>,
): ListQuery<Field> {
  const filter = parameter(query, 'filter');
  const startIndex = Math.max(1, integer(query, 'startIndex') ?? 1);
  const count = Math.max(0, integer(query, 'count') ?? SCIM_PAGE_ROW_COUNT);
  return {
    filter: filter ? resolveFilter(parseFilter(filter), attributes) : undefined,
    sort: readSort(query, attributes),
    startIndex,
    offset: startIndex - 1,
    limit: Math.min(count, SCIM_PAGE_ROW_COUNT_MAX),
  };
}

export function readSelection(query: URLSearchParams): Selection {
  const names = (name: string) => {
    const list = (parameter(query, name) ?? '').toLowerCase().split(',');
    // A part of an attribute selects the whole.
    return new Set(
      list
        .map((one) =>
          one
            .trim()
            .replace(/^urn:.*:/, '')
            .replace(/[.[].*/, ''),
        )
        .filter((one) => one !== ''),
    );
  };
  const attributes = names('attributes');
  return { attributes: attributes.size === 0 ? undefined : attributes, excluded: names('excludedAttributes') };
}

export const isSelected = ({ attributes, excluded }: Selection, name: string): boolean =>
  attributes === undefined ? !excluded.has(name.toLowerCase()) : attributes.has(name.toLowerCase());

export function select(selection: Selection, resource: Readonly<Record<string, unknown>>): object {
  const selected = Object.entries(resource).filter(
    ([name]) => name === 'id' || name === 'schemas' || isSelected(selection, name),
  );
  return Object.fromEntries(selected);
}

function readSort<Field extends string>(query: URLSearchParams, attributes: FilterAttributes<Field>) {
  const sortBy = parameter(query, 'sortBy');
  if (!sortBy) return undefined;
  const attribute = attributes.get(sortBy.toLowerCase().replace(/^urn:.*:/, ''));
  if (attribute === undefined || !('field' in attribute)) {
    throw new ScimError('invalidPath', 'Resources cannot be sorted by this attribute');
  }
  return { field: attribute.field, isDescending: parameter(query, 'sortOrder')?.toLowerCase() === 'descending' };
}

/** Names of parameters have no case here, because providers differ. */
function parameter(query: URLSearchParams, name: string): string | undefined {
  for (const [key, value] of query) if (key.toLowerCase() === name.toLowerCase()) return value;
  return undefined;
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = parameter(query, name)?.trim();
  if (text === undefined || text === '') return undefined;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new ScimError('invalidValue', `${name} must be an integer`);
  return Number(text);
}
