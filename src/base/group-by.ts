/** `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Item, Key, Value = Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
  toValue: (item: Item) => Value,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(toValue(item));
    else groups.set(key, [toValue(item)]);
  }
  return groups;
}
