/** Something that names the user who wrote it. */
export interface Authored {
  /** Row id of the user. Null without sign-in, and after the user was deleted. */
  readonly userId: number | null;
}
