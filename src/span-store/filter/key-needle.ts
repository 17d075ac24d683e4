/** Characters of keys, those that are rarest in the JSON of attributes first. */
const BY_RARITY = 'ZQXJKVWYBFGHPMUDLCNRISOATEzqxjkvwybfgh0123456789pmudlcnrisoat.-_e';
const PLAIN_KEY = /^[A-Za-z0-9._-]{2,}$/;

/**
 * The end of a key with its closing quote, which a JSON text with that key contains. Undefined for keys that have
 * several notations.
 *
 * DuckDB searches for the first character of a text, so the search is cheapest if that is rare: a third of the cost of
 * reading the JSON, for most keys.
 */
export function keyNeedle(key: string): string | undefined {
  if (!PLAIN_KEY.test(key)) return undefined;
  let start = 0;
  for (let at = 1; at < key.length - 1; at++) {
    if (BY_RARITY.indexOf(key.charAt(at)) < BY_RARITY.indexOf(key.charAt(start))) start = at;
  }
  return `${key.slice(start)}"`;
}
