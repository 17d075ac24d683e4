/** Fields of a user that a filter of the directory may name. */
export const USER_FILTER_FIELDS = {
  id: 'id',
  username: 'text',
  externalId: 'exactText',
  email: 'text',
  isActive: 'boolean',
  role: 'text',
  displayName: 'text',
  givenName: 'text',
  familyName: 'text',
  createdAt: 'time',
  updatedAt: 'time',
} as const satisfies Record<string, FieldType>;
export type UserFilterField = keyof typeof USER_FILTER_FIELDS;

/** Fields of a group. `member` is the row id of a user in it. */
export const GROUP_FILTER_FIELDS = {
  id: 'id',
  displayName: 'text',
  externalId: 'exactText',
  member: 'id',
  createdAt: 'time',
  updatedAt: 'time',
} as const satisfies Record<string, FieldType>;
export type GroupFilterField = keyof typeof GROUP_FILTER_FIELDS;

/** `text` is compared without case. An `id` only equals or does not, and a `boolean`, too. */
export type FieldType = 'id' | 'text' | 'exactText' | 'boolean' | 'time';

/** Equal, not equal, contains, starts with, ends with, greater, greater or equal, less, less or equal. */
export const COMPARE_OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type CompareOperator = (typeof COMPARE_OPERATORS)[number];

/** Condition on users or groups. A field without a value fits only `ne`. `any` of nothing fits none. */
export type DirectoryFilter<Field extends string> =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly DirectoryFilter<Field>[] }
  | { readonly kind: 'not'; readonly part: DirectoryFilter<Field> }
  | { readonly kind: 'present'; readonly field: Field }
  | {
      readonly kind: 'compare';
      readonly field: Field;
      readonly operator: CompareOperator;
      /** A `Date` for a time, a boolean for a boolean, else a text. */
      readonly value: string | boolean | Date;
    };

/** A page of the directory, by position. */
export interface DirectoryQuery<Field extends string> {
  readonly filter?: DirectoryFilter<Field> | undefined;
  /** Default: by row id. */
  readonly sort?: { readonly field: Field; readonly isDescending: boolean } | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface DirectoryPage<Row> {
  readonly items: readonly Row[];
  /** Rows that fit the filter. */
  readonly totalCount: number;
}
