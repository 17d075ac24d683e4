import { type RawBuilder, sql } from 'kysely';

/** Value of a column `user_id`. A user who is deleted while a request of theirs runs leaves null. */
export const authorColumn = (userId: number | null): RawBuilder<number | null> =>
  userId === null ? sql`null::bigint` : sql`(select id from users where id = ${userId})`;
