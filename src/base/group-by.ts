/** `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]>;
export function groupBy<Item, Key, Value>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
  toValue: (item: Item) => Value,
): Map<Key, Value[]>;
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
  toValue: (item: Item) => unknown = (item) => item,
): Map<Key, unknown[]> {
  const groups = new Map<Key, unknown[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(toValue(item));
    else groups.set(key, [toValue(item)]);
  }
  return groups;
}
