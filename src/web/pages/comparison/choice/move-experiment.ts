/** The same items with one of them at another position, at most the first or last one. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  if (item === undefined) return items;
  const rest = items.filter((_, index) => index !== from);
  rest.splice(Math.max(0, to), 0, item);
  return rest;
}
