import type { Operation } from '../data/operation.ts';
import { useQuery } from '../data/use-query.ts';
import { PAGE_CONFIG } from '../page-config.ts';
import { type ViewerData, viewer } from './generated/viewer.ts';
import { type Access, hasRight, type Position } from './rights.ts';

export type Viewer = NonNullable<ViewerData['viewer']>;

export interface UserAccess {
  /** The signed-in user. Undefined while sign-in is off, and until the server has responded. */
  readonly viewer: Viewer | undefined;
  /** Whether the server checks who sends a request. */
  readonly hasSignIn: boolean;
  /** False until the role of the user is known. */
  readonly isKnown: boolean;
  /** Whether the server accepts an operation, or a request that needs a right, from this user. */
  readonly may: (needed: Access | Pick<Operation<unknown, never>, 'access'>) => boolean;
}

const NOTHING = {};

/** Rights of the user of this page. Every control that changes data asks it, so that it is absent for users who lack the right. */
export function useAccess(): UserAccess {
  const hasSignIn = PAGE_CONFIG.authenticationEnabled;
  const { data } = useQuery(viewer, hasSignIn ? NOTHING : undefined, VIEWER_OPTIONS);
  const user = data?.viewer ?? undefined;
  const position = hasSignIn ? (user?.role.name as Position | undefined) : 'signInOff';
  return {
    viewer: user,
    hasSignIn,
    isKnown: position !== undefined,
    may: (needed) => {
      const access = typeof needed === 'string' ? needed : (needed.access ?? 'viewer');
      return position === undefined ? access === 'viewer' || access === 'open' : hasRight(position, access);
    },
  };
}

/** Every control asks for the viewer, so the response is read once. A change reads it again. */
const VIEWER_OPTIONS = { staleMs: Number.POSITIVE_INFINITY };
