/** GraphQL query or mutation with the types of its variables and data. */
export interface Operation<Data, Variables> {
  readonly name: string;
  readonly text: string;
  /** Only for the type checker; never set. */
  readonly types?: (variables: Variables) => Data;
}
