/** The object without fields that are undefined or null. */
export const withoutAbsent = (fields: Readonly<Record<string, unknown>>): Record<string, never> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as Record<
    string,
    never
  >;
