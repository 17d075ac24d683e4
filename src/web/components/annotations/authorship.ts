interface Authorship {
  readonly source: 'API' | 'APP';
  readonly identifier: string;
}

/**
 * Sets what people add here apart from what an application sent under the same name. A second one of a name replaces
 * the first, as long as the server knows nobody by name.
 */
export const IDENTIFIER = 'interface';

/** What was said here, and so by whoever looks, as long as the server knows nobody by name. */
export const isMine = ({ source, identifier }: Authorship): boolean => source === 'APP' && identifier === IDENTIFIER;
