/** Asks before the page is left. Returns whether it asks; then `leave` continues, if the user wants to. */
export type LeaveGuard = (leave: () => void) => boolean;

let guard: { readonly path: string; readonly confirm: LeaveGuard } | undefined;
/** Address with its query, to which Back returns while the user is asked. */
let guardedHref = '';

/** Sets the guard of the current page. Undefined removes it. */
export function setLeaveGuard(confirm: LeaveGuard | undefined): void {
  guard = confirm && { path: window.location.pathname, confirm };
  guardedHref = window.location.href;
}

/**
 * Whether the user is asked before an address is opened. Other addresses of the same page need no question.
 *
 * @param leave Opens the address.
 */
export function isLeaveAsked(url: URL, leave: () => void): boolean {
  if (!guard) return false;
  if (url.pathname === guard.path) {
    guardedHref = url.href;
    return false;
  }
  return guard.confirm(() => {
    setLeaveGuard(undefined);
    leave();
  });
}

/**
 * Handles Back and Forward, which have changed the address already. The address of the page returns while the user is asked.
 */
export function isReturnAsked(open: (href: string) => void): boolean {
  const to = new URL(window.location.href);
  const back = guardedHref;
  if (!isLeaveAsked(to, () => open(to.href))) return false;
  window.history.pushState(window.history.state, '', back);
  return true;
}
