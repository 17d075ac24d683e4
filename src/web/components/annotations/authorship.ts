interface Authorship {
  readonly source: 'API' | 'APP';
  readonly identifier: string;
}

/**
 * Distinguishes annotations of this interface from annotations that an application sent with the same name. An
 * annotation replaces an earlier one of the same name, because the server has no user accounts yet.
 */
export const IDENTIFIER = 'interface';

/**
 * Whether an annotation was created in this interface. The server has no user accounts, so all users share these
 * annotations.
 */
export const isMine = ({ source, identifier }: Authorship): boolean => source === 'APP' && identifier === IDENTIFIER;
