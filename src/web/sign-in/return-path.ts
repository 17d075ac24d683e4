import { appPath } from '../router/app-url.ts';

/** The server accepts the same paths: `/`, or a slash and a letter, digit or underscore, so never another host. */
const LOCAL_PATH = /^\/($|\w)/;
/** Paths that would sign out or lead back here. */
const SIGN_IN_PATH = /^\/(login|logout|forgot-password|reset-password|reset-password-with-token|auth|oauth2)([/?]|$)/;

/** Paths at which apps ask for access. They lead on to the app, never back here. */
const APP_PATH = /^\/oauth2\/(authorize|consent)\?/;

export const isAppPath = (path: string): boolean => APP_PATH.test(path);

/** Path of the interface to open after the sign-in: `returnUrl` of the address, or the start page if it is unsafe. */
export function returnPath(search: string): string {
  const path = new URLSearchParams(search).get('returnUrl') ?? '/';
  return LOCAL_PATH.test(path) && (isAppPath(path) || !SIGN_IN_PATH.test(path)) ? path : '/';
}

/** The address of a page as a value of `returnUrl`. */
export function currentPath(): string {
  const path = appPath(window.location.pathname);
  // The start page is `/projects`, whose query the pattern allows.
  return (path === '/' ? '/projects' : path) + window.location.search;
}

/** Path with `returnUrl`, unless that is the start page. */
export const withReturn = (path: string, returnTo: string): string =>
  returnTo === '/' ? path : `${path}${path.includes('?') ? '&' : '?'}returnUrl=${encodeURIComponent(returnTo)}`;
