/** Controls in which the user has made a change since they appeared. */
const changed = new Set<HTMLElement>();

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLElement) changed.add(target);
});

/** Whether a form, a dialog or a text area on the page contains input that leaving the page would lose. */
export function hasUnsavedInput(): boolean {
  for (const control of changed) {
    if (!control.isConnected) changed.delete(control);
    else if (isUnsaved(control)) return true;
  }
  return false;
}

function isUnsaved(control: HTMLElement): boolean {
  const text = 'value' in control ? String(control.value) : (control.textContent ?? '');
  return text.trim() !== '' && (control.localName === 'textarea' || control.closest('form, [role=dialog]') !== null);
}
