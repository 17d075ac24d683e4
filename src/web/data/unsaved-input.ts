/** Controls in which the user has made a change since they appeared. */
const changed = new Set<HTMLElement>();

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLElement) changed.add(target);
});

const checks = new Set<() => boolean>();

/** Adds a check for changes that the page keeps outside of controls. Closing the browser tab then asks the user. */
export function addUnsavedCheck(isUnsavedNow: () => boolean): void {
  checks.add(isUnsavedNow);
}

window.addEventListener('beforeunload', (event) => {
  if ([...checks].some((check) => check())) event.preventDefault();
});

/** Whether a form, a dialog or a text area on the page contains input that leaving the page would lose. */
export function hasUnsavedInput(): boolean {
  for (const control of changed) {
    if (!control.isConnected) changed.delete(control);
    else if (isUnsaved(control)) return true;
  }
  return [...checks].some((check) => check());
}

function isUnsaved(control: HTMLElement): boolean {
  const text = 'value' in control ? String(control.value) : (control.textContent ?? '');
  return text.trim() !== '' && (control.localName === 'textarea' || control.closest('form, [role=dialog]') !== null);
}
