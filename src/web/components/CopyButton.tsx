import { useState } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import { toast, toastFailure } from './toasts.tsx';

/** Copies a text, and says that it did, or that it could not. */
export async function copyWithToast(text: string, done: string): Promise<void> {
  if (await copyText(text)) toast(done);
  else toastFailure(REFUSED);
}

const REFUSED = 'The browser refused to copy.';

/** `navigator.clipboard` is missing where the page did not come over TLS or from this machine. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

export function CopyButton({
  text,
  label = 'Copy',
  icon = 'copy',
}: {
  readonly text: string | (() => string);
  readonly label?: string;
  readonly icon?: IconName;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(typeof text === 'string' ? text : text()))) return toastFailure(REFUSED);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_200);
  };
  return (
    <button
      type="button"
      className="button bare small icon-only"
      aria-label={isCopied ? 'Copied' : label}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      <Icon name={isCopied ? 'check' : icon} size={13} />
    </button>
  );
}
