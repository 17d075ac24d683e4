interface Authorship {
  readonly source: 'API' | 'APP';
  readonly identifier: string;
  readonly user: { readonly id: string } | null;
  /** ID of the user of this page. Undefined while sign-in is off. */
  readonly viewerId?: string | undefined;
}

/**
 * Distinguishes annotations of this interface from annotations that an application sent with the same name. Each user has one
 * annotation of a name. While sign-in is off, all users share one.
 */
export const identifierOf = (viewerId: string | undefined): string =>
  viewerId === undefined ? 'interface' : `px-app:${viewerId}`;

/** Whether the user of this page has created the annotation in this interface. */
export const isMine = (annotation: Authorship): boolean =>
  annotation.source === 'APP' && annotation.identifier === identifierOf(annotation.viewerId) && isAuthor(annotation);

/** Whether the user of this page has written the annotation or note. Without sign-in it belongs to everyone. */
export const isAuthor = ({ user, viewerId }: Pick<Authorship, 'user' | 'viewerId'>): boolean =>
  viewerId === undefined || user?.id === viewerId;
