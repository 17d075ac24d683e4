/**
 * A value as part of a search filter (RFC 4515, section 3). All ASCII but letters, digits and a few signs is escaped, so a
 * name cannot change the filter, whatever the parser makes of rare characters. Other characters stay: ldapts reads an
 * escaped byte as a character of its own.
 */
export const escapeFilterValue = (value: string): string =>
  value.replace(
    /[^A-Za-z0-9@._\u0080-\uffff-]/g,
    (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

/** The filter with each `%s` replaced by the value. The value is not searched for `%s` again. */
export const fillFilter = (filter: string, value: string): string => filter.split('%s').join(escapeFilterValue(value));
