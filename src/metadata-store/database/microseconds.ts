import { type RawBuilder, sql } from 'kysely';

// Times exact to the microsecond; the driver's dates end with milliseconds.

/** The time of a number of microseconds since the Unix epoch. */
export const toTime = (micros: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`('epoch'::timestamptz + ${micros} / 1000000 * interval '1 second' + ${micros} % 1000000 * interval '1 microsecond')`;

/** Decimal text of the microseconds of a time since the Unix epoch. */
export const toMicros = (time: RawBuilder<unknown>): RawBuilder<string> =>
  sql`(extract(epoch from ${time}) * 1000000)::bigint::text`;
