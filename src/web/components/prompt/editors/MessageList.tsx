import { type RefObject, useEffect, useRef, useState } from 'react';
import { type EditedMessage, moveItem, type Variant } from '../variant/variant.ts';
import { MessageCard } from './MessageCard.tsx';
import './editors.css';

interface MessageListProps {
  readonly messages: readonly EditedMessage[];
  readonly format: Variant['format'];
  readonly onChange: (messages: readonly EditedMessage[]) => void;
}

/** Messages of a prompt, which the user edits, moves and deletes. A move is announced to screen readers. */
export function MessageList({ messages, format, onChange }: MessageListProps) {
  const [moved, setMoved] = useState<string>();
  const status = useRef<HTMLSpanElement>(null);
  const removedIndex = useRef(0);
  useFocusOfMessages(messages.length, removedIndex, status);
  const move = (id: string, to: number) => {
    const target = Math.min(messages.length - 1, Math.max(0, to));
    onChange(moveItem(messages, id, target));
    setMoved(`Message ${target + 1} of ${messages.length}`);
  };
  return (
    <>
      {messages.map((message, index) => (
        <MessageCard
          key={message.id}
          message={message}
          index={index}
          format={format}
          onChange={(next) => onChange(messages.map((each) => (each.id === next.id ? next : each)))}
          onRemove={() => {
            removedIndex.current = index;
            onChange(messages.filter(({ id }) => id !== message.id));
          }}
          onDropMessage={(id) => move(id, index)}
          onMove={(step) => move(message.id, index + step)}
        />
      ))}
      <span ref={status} className="visually-hidden" role="status">
        {moved}
      </span>
    </>
  );
}

/** Moves the focus into a message that a button has added, and from a deleted one to its neighbor. */
function useFocusOfMessages(
  count: number,
  removedIndex: RefObject<number>,
  status: RefObject<HTMLElement | null>,
): void {
  const lastCount = useRef(count);
  useEffect(() => {
    const step = count - lastCount.current;
    lastCount.current = count;
    const list = status.current?.parentElement;
    const { activeElement } = document;
    const isAdded = step === 1 && activeElement?.tagName === 'BUTTON' && list?.contains(activeElement);
    const isRemoved = step === -1 && activeElement === document.body;
    if (!isAdded && !isRemoved) return;
    const cards = list?.querySelectorAll('.message-card') ?? [];
    const index = isAdded ? count - 1 : Math.min(removedIndex.current, count - 1);
    cards[index]?.querySelector('textarea')?.focus();
  }, [count, removedIndex, status]);
}
