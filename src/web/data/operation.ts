import type { Access } from '../access/rights.ts';

/** GraphQL operation with the types of its variables and data. */
export interface Operation<Data, Variables> {
  readonly name: string;
  readonly text: string;
  /** Right that a mutation or subscription needs. Absent for a query, which every signed-in user may send. */
  readonly access?: Access;
  /** Only for the type checker; never set. */
  readonly types?: (variables: Variables) => Data;
}
