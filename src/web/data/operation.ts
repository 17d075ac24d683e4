/** A GraphQL query or mutation with the types of what goes in and comes out. */
export interface Operation<Data, Variables> {
  readonly name: string;
  readonly text: string;
  /** Only for the type checker; never set. */
  readonly types?: (variables: Variables) => Data;
}
