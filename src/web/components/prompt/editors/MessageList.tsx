import { useState } from 'react';
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
          onRemove={() => onChange(messages.filter(({ id }) => id !== message.id))}
          onDropMessage={(id) => move(id, index)}
          onMove={(step) => move(message.id, index + step)}
        />
      ))}
      <span className="visually-hidden" role="status">
        {moved}
      </span>
    </>
  );
}
