import { type Caller, isAdmin } from '../../model/access/caller.ts';
import type { Annotation, AnnotationTarget } from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';

/**
 * Only its author changes an annotation. With `orAdmin`, administrators may too: they delete annotations of others and change
 * none. Without sign-in there are no authors, and everyone may.
 *
 * @throws {SpandrelError} `ACCESS_DENIED`
 */
export function checkAuthor(
  caller: Caller,
  target: AnnotationTarget,
  annotations: readonly Pick<Annotation, 'userId'>[],
  { orAdmin = false }: { readonly orAdmin?: boolean } = {},
): void {
  const author = onlyAuthor(caller, { orAdmin });
  if (author === undefined || annotations.every(({ userId }) => userId === author)) return;
  throw new SpandrelError(
    'ACCESS_DENIED',
    `At least one ${target} annotation is not associated with the current user.`,
  );
}

/** Row id of the author whose annotations alone the caller may change or delete. Undefined for all annotations. */
export function onlyAuthor(caller: Caller, { orAdmin }: { readonly orAdmin: boolean }): number | null | undefined {
  if (caller.kind === 'signInOff') return undefined;
  if (caller.kind === 'anonymous') return null;
  return orAdmin && isAdmin(caller) ? undefined : caller.user.rowId;
}
