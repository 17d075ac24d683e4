import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { Completion } from './use-completion.ts';

interface CompletionsProps {
  readonly id: string;
  readonly completion: Completion;
}

export const optionId = (id: string, index: number): string => `${id}-${index}`;

/** List of suggestions below the caret. The focus stays in the text area. */
export function Completions({ id, completion: { open, take } }: CompletionsProps) {
  const list = useRef<HTMLDivElement>(null);
  // The content policy allows no inline style of markup, so the place is set on the element.
  useEffect(() => {
    if (!list.current || !open) return;
    list.current.style.left = `${open.left}px`;
    list.current.style.top = `${open.top}px`;
    list.current.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  if (!open) return null;
  return createPortal(
    <div ref={list} id={id} className="popover completions" role="listbox" aria-label="Suggestions">
      {open.suggestions.map((each, index) => (
        <div
          key={each.label}
          id={optionId(id, index)}
          className="menu-item"
          role="option"
          tabIndex={-1}
          aria-selected={index === open.index}
          // The text area keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(each)}
          onKeyDown={() => undefined}
        >
          <code>{each.label}</code>
          <span className="muted clip">{each.about}</span>
        </div>
      ))}
    </div>,
    document.body,
  );
}
