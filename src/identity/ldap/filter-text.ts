/**
 * A value as part of a search filter (RFC 4515, section 3). All but letters, digits and a few signs are escaped byte by
 * byte, so a name cannot change the filter, whatever the parser of the directory makes of rare characters.
 */
export const escapeFilterValue = (value: string): string =>
  [...Buffer.from(value, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9@._-]/.test(character) ? character : `\\${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');

/** A filter with the value in the place of each `%s`. The value is not searched for `%s` again. */
export const fillFilter = (filter: string, value: string): string => filter.split('%s').join(escapeFilterValue(value));
