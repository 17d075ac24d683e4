import type { AttributeValue } from '@opentelemetry/api';

/** The fields of an object as attributes, without those that are null. */
export const objectAsAttributes = (fields: Readonly<Record<string, unknown>>): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Record<string, AttributeValue>;
