interface Authorship {
  readonly source: 'API' | 'APP';
  readonly identifier: string;
}

/**
 * Distinguishes annotations of users of the interface from those that an application sent under the same name. The server does
 * not know users by name, so a second annotation of a name replaces the first one.
 */
export const IDENTIFIER = 'interface';

/** Whether an annotation was made in the interface. It counts as the user's own, because the server does not know users by name. */
export const isMine = ({ source, identifier }: Authorship): boolean => source === 'APP' && identifier === IDENTIFIER;
