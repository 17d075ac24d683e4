/** Path prefix of the server, from the `<base>` of the page. Ends with a slash. */
const BASE = new URL(document.baseURI).pathname;

/** Adds the prefix to a path of the server or the interface. */
export const appUrl = (path: string): string => BASE + path.replace(/^\//, '');

/** Removes the prefix. Starts with a slash. */
export const appPath = (pathname: string): string =>
  pathname.startsWith(BASE) ? `/${pathname.slice(BASE.length)}` : pathname;
