/** A text as Postgres can keep it: it has no U+0000, and UTF-8 has no lone surrogate; each becomes U+FFFD. */
export const toPostgresText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
