/** The prefix that the server is reached below, from the page's `<base>`; ends with a slash. */
const BASE = new URL(document.baseURI).pathname;

/** A path of the server or of the interface, as the browser must ask for it. */
export const appUrl = (path: string): string => BASE + path.replace(/^\//, '');

/** The path inside of the interface; begins with a slash. */
export const appPath = (pathname: string): string =>
  pathname.startsWith(BASE) ? `/${pathname.slice(BASE.length)}` : pathname;
