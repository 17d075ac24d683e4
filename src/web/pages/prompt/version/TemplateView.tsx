import { useState } from 'react';
import {
  type ContentMessage,
  type MessagePart,
  partsOf,
  roleLabel,
} from '../../../components/prompt/version-content.ts';
import { Card } from '../../../components/values/Card.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { TextView } from '../../../components/values/TextView.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { TemplateText } from './TemplateText.tsx';
import type { TemplateTag } from './template-parts.ts';

interface TemplateViewProps {
  readonly messages: readonly ContentMessage[];
  readonly tags: readonly TemplateTag[];
}

/** Messages that are rendered at once. */
const MESSAGE_STEP = 50;

/** The messages of a template by role, with their variables marked. */
export function TemplateView({ messages, tags }: TemplateViewProps) {
  const [count, setCount] = useState(MESSAGE_STEP);
  if (messages.length === 0) return <p className="muted">The template has no messages.</p>;
  return (
    <div className="template-messages">
      {messages.slice(0, count).map((message, messageIndex) => (
        <Card
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is identified by its position
          key={messageIndex}
          title={roleLabel(message.role)}
          copies={() => textOf(message)}
        >
          {partsOf(message).map((part, partIndex) => (
            <Part
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position
              key={partIndex}
              part={part}
              tags={tags.filter((tag) => tag.messageIndex === messageIndex && tag.partIndex === partIndex)}
            />
          ))}
        </Card>
      ))}
      {messages.length > count && (
        <button type="button" className="button small" onClick={() => setCount(count * 4)}>
          {formatCount(messages.length - count)} more messages
        </button>
      )}
    </div>
  );
}

const textOf = (message: ContentMessage): string =>
  partsOf(message)
    .map((part) => (part.type === 'text' ? part.text : JSON.stringify(part)))
    .join('\n');

function Part({ part, tags }: { readonly part: MessagePart; readonly tags: readonly TemplateTag[] }) {
  switch (part.type) {
    case 'text':
      return <TemplateText text={part.text} tags={tags} />;
    case 'tool_call':
      return (
        <div className="template-part">
          <span className="muted">
            Calls <strong dir="auto">{part.tool_call.name}</strong> ({part.tool_call_id})
          </span>
          <TextView text={part.tool_call.arguments} isCode />
        </div>
      );
    case 'tool_result':
      return (
        <div className="template-part">
          <span className="muted">Result of {part.tool_call_id}</span>
          {typeof part.tool_result === 'string' ? (
            <TextView text={part.tool_result} />
          ) : (
            <JsonView value={part.tool_result} />
          )}
        </div>
      );
    case 'image':
      return (
        <div className="template-part">
          <span className="muted">Image</span>
          <TextView text={part.image.url} isCode />
        </div>
      );
  }
}
