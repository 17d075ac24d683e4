import { useState } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import { toast, toastFailure } from './toasts.tsx';

/** Copies a text and shows whether that succeeded. */
export async function copyWithToast(text: string, done: string): Promise<void> {
  if (await copyText(text)) toast(done);
  else toastFailure(COPY_FAILED);
}

const COPY_FAILED = 'The browser did not allow copying. Select the text and copy it.';

/** `navigator.clipboard` exists only on pages that were loaded over TLS or from this machine. */
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
    if (!(await copyText(typeof text === 'string' ? text : text()))) return toastFailure(COPY_FAILED);
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
