/** Value of an own property. A key from a client may be `constructor` or `__proto__`, which an object inherits. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
