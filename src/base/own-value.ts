/** The value under a key of the object itself: a name from outside may be `constructor` or `__proto__`. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
