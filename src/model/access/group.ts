/** A group of users that the identity provider has sent over SCIM. */
export interface Group {
  readonly rowId: number;
  /** Unique without case. Rights refer to it. */
  readonly displayName: string;
  readonly externalId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A change of the members of a group: all are removed, or the named ones; then others are added. */
export interface MemberChange {
  readonly removed: 'all' | readonly number[];
  /** Row ids of users. */
  readonly added: readonly number[];
}

export interface GroupMember {
  readonly groupRowId: number;
  readonly userRowId: number;
  readonly username: string;
}

export interface GroupOfUser {
  readonly userRowId: number;
  readonly groupRowId: number;
  readonly displayName: string;
}
