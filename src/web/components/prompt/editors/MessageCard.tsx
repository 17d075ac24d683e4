import { type DragEvent, useRef, useState } from 'react';
import { ActionMenu } from '../../ActionMenu.tsx';
import { Icon } from '../../Icon.tsx';
import { type EditedMessage, type EditedPart, type MessageRole, newId, type PartBody } from '../variant/variant.ts';
import { PartField } from './PartField.tsx';

export const ROLE_NAMES: readonly (readonly [MessageRole, string])[] = [
  ['system', 'System'],
  ['user', 'User'],
  ['ai', 'AI'],
  ['tool', 'Tool'],
];

interface MessageCardProps {
  readonly message: EditedMessage;
  readonly index: number;
  readonly format: 'MUSTACHE' | 'F_STRING' | 'NONE';
  readonly onChange: (message: EditedMessage) => void;
  readonly onRemove: () => void;
  /** Moves a message to the index of this one. */
  readonly onDropMessage: (id: string) => void;
  readonly onMove: (step: number) => void;
}

/** Drags of other things, such as files, are none of a message. */
const DRAG_TYPE = 'application/x-spandrel-message';

/** A message with its role. It moves by its handle: with the pointer, or with Alt and the arrow keys. */
export function MessageCard({ message, index, format, onChange, onRemove, onDropMessage, onMove }: MessageCardProps) {
  const [isTarget, setTarget] = useState(false);
  const { role, parts } = message;
  const roleName = ROLE_NAMES.find(([each]) => each === role)![1];
  const label = `${roleName} message ${index + 1}`;
  const setPart = (part: EditedPart) =>
    onChange({ ...message, parts: parts.map((each) => (each.id === part.id ? part : each)) });
  const card = useRef<HTMLElement>(null);
  const add = (body: PartBody) => {
    onChange({ ...message, parts: [...parts, { id: newId(), ...body }] });
    // The menu gives the focus back to its button first.
    requestAnimationFrame(() => {
      card.current?.querySelector<HTMLElement>(':scope > :last-child :is(textarea, input)')?.focus();
    });
  };
  const isOurs = (event: DragEvent) => event.dataTransfer.types.includes(DRAG_TYPE);
  return (
    <section
      ref={card}
      className="message-card"
      aria-label={label}
      data-target={isTarget}
      data-role={role}
      onDragOver={(event) => {
        if (!isOurs(event)) return;
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        if (!isOurs(event)) return;
        event.preventDefault();
        onDropMessage(event.dataTransfer.getData(DRAG_TYPE));
      }}
    >
      <header>
        <button
          type="button"
          className="button bare small icon-only message-handle"
          draggable
          aria-label={`Move ${label}`}
          title="Drag, or press Alt and an arrow key"
          onDragStart={(event) => {
            event.dataTransfer.setData(DRAG_TYPE, message.id);
            event.dataTransfer.effectAllowed = 'move';
          }}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
            if (!event.altKey || step === 0) return;
            event.preventDefault();
            onMove(step);
          }}
        >
          <Icon name="handle" size={13} />
        </button>
        <select
          className="message-role"
          aria-label={`Role of message ${index + 1}`}
          value={role}
          onChange={(event) => onChange({ ...message, role: event.target.value as MessageRole })}
        >
          {ROLE_NAMES.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <span className="grow" />
        <ActionMenu
          label={`Add to ${label}`}
          button={
            <button type="button" className="button bare small icon-only">
              <Icon name="plus" size={13} />
            </button>
          }
          actions={[
            { label: 'Text', onSelect: () => add({ type: 'text', text: '' }) },
            role === 'user' && { label: 'Image', onSelect: () => add({ type: 'image', url: '' }) },
            role === 'ai' && {
              label: 'Tool call',
              onSelect: () => add({ type: 'toolCall', callId: newId(), name: '', arguments: '{}' }),
            },
            role === 'tool' && {
              label: 'Tool result',
              onSelect: () => add({ type: 'toolResult', callId: '', result: '' }),
            },
          ]}
        />
        <button
          type="button"
          className="button bare small icon-only"
          aria-label={`Delete ${label}`}
          title="Delete the message"
          onClick={onRemove}
        >
          <Icon name="trash" size={13} />
        </button>
      </header>
      {parts.map((part, partIndex) => (
        <PartField
          key={part.id}
          part={part}
          format={format}
          label={parts.length > 1 ? `${label}, part ${partIndex + 1}` : label}
          onChange={setPart}
          onRemove={
            parts.length > 1
              ? () => onChange({ ...message, parts: parts.filter((each) => each.id !== part.id) })
              : undefined
          }
        />
      ))}
    </section>
  );
}
