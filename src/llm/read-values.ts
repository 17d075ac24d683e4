// Reading of values from vendors, which may be of any type.
import { isJsonObject } from '../base/exact-json.ts';

/** A parsed object of a vendor. Its fields are not what the types of the official packages promise. */
export type Received = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): Received => (isJsonObject(value) ? (value as Received) : NOTHING);

const NOTHING: Received = Object.freeze({});

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A number of tokens. Vendors also send null, negative numbers and texts. */
export const asTokenCount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

/** The fields that are defined. */
export function definedFields<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof definedFields<Fields>
  >;
}

/** The sum of the known counts. Undefined if none is known. */
export function sumOfTokens(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}
