/** Colors that a new label may have. Each is readable as a dot and as a tint in both themes. */
export const LABEL_COLORS: readonly string[] = [
  '#1c76fc',
  '#1f8a70',
  '#6b8a12',
  '#d9a30d',
  '#d9730d',
  '#c93a4b',
  '#c2389a',
  '#7a4fd1',
  '#33539e',
  '#17838f',
  '#8f5a17',
  '#69635a',
];

/** Clients set the colors, and splits accept any text, so only valid colors become part of a style. */
export const labelColor = (text: string | null): string =>
  text !== null && /^#[0-9a-f]{6}$/i.test(text) ? text : '#69635a';

/** The color that the fewest labels have, so that a new label differs from the existing ones. */
export function unusedColor(labels: readonly { readonly color: string | null }[]): string {
  const countOf = (color: string) => labels.filter((label) => label.color?.toLowerCase() === color).length;
  return LABEL_COLORS.reduce((best, color) => (countOf(color) < countOf(best) ? color : best));
}
