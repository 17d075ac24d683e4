/** Bytes of a `duckdb_string_t`: a 4-byte length, then 12 bytes of text, or 4 of prefix and a pointer. */
export const STRING_BYTES = 16;
export const INLINE_BYTES_MAX = 12;
