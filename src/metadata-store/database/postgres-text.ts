/** Replaces U+0000, which Postgres cannot store, and lone surrogates, which UTF-8 cannot represent, by U+FFFD. */
export const toPostgresText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
