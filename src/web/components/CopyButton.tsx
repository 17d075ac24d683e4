import { useState } from 'react';
import { Icon } from './Icon.tsx';
import { tellFailure } from './toasts.tsx';

/** Copies a text. `navigator.clipboard` is missing where the page did not come over TLS or from this machine. */
export async function copyText(text: string): Promise<boolean> {
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
}: {
  readonly text: string | (() => string);
  readonly label?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(typeof text === 'string' ? text : text()))) return tellFailure('The browser refused to copy.');
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
      <Icon name={isCopied ? 'check' : 'copy'} size={13} />
    </button>
  );
}
