/** Characters of keys, those first that are rarest in the JSON of attributes. */
const BY_RARITY = 'ZQXJKVWYBFGHPMUDLCNRISOATEzqxjkvwybfgh0123456789pmudlcnrisoat.-_e';
const PLAIN_KEY = /^[A-Za-z0-9._-]{2,}$/;

/**
 * The end of a key, with its closing quote: what a JSON text has in it when it has that key. Undefined for keys that
 * are written in several ways.
 *
 * DuckDB looks for a text by its first character, so looking costs least where this is rare: a third of reading the
 * JSON, for most keys.
 */
export function keyNeedle(key: string): string | undefined {
  if (!PLAIN_KEY.test(key)) return undefined;
  let start = 0;
  for (let at = 1; at < key.length - 1; at++) {
    if (BY_RARITY.indexOf(key.charAt(at)) < BY_RARITY.indexOf(key.charAt(start))) start = at;
  }
  return `${key.slice(start)}"`;
}
