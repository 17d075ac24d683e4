/** Postgres keeps no U+0000, and UTF-8 no lone surrogate: each becomes U+FFFD. */
export const toPostgresText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
