import {
  isObject,
  type Message,
  type MessagePart,
  parseIfJson,
  type ToolCall,
} from '../../../../semconv/read-open-inference.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { TextView } from '../../../components/values/TextView.tsx';

/** Messages with their roles, tool calls and tool results. */
export function Messages({
  messages,
  calls,
}: {
  readonly messages: readonly Message[];
  readonly calls?: readonly Message[];
}) {
  const names = new Map(
    [...(calls ?? []), ...messages].flatMap(({ toolCalls }) =>
      toolCalls.flatMap(({ id, name }) => (id ? [[id, name]] : [])),
    ),
  );
  return (
    <ol className="messages">
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message's place is its name
        <li key={index}>
          <MessageBox message={message} answers={message.toolCallId ? names.get(message.toolCallId) : undefined} />
        </li>
      ))}
    </ol>
  );
}

function MessageBox({ message, answers }: { readonly message: Message; readonly answers: string | undefined }) {
  const { role, name, toolCallId, parts, toolCalls } = message;
  return (
    <article className="message" data-role={role.toLowerCase()}>
      <header>
        <span className="message-role">{role}</span>
        {name !== undefined && <span className="muted">{name}</span>}
        {toolCallId !== undefined && (
          <span className="muted clip" title={toolCallId}>
            {answers === undefined ? 'answers' : `answers ${answers}`} <code>{toolCallId}</code>
          </span>
        )}
        <span className="grow" />
        <CopyButton text={() => toPlainText(message)} label="Copy message" />
      </header>
      <div className="message-parts">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part's place is its name
          <Part key={index} part={part} isToolResult={role === 'tool'} />
        ))}
        {toolCalls.map((call, index) => (
          <Call key={call.id ?? index} call={call} />
        ))}
        {parts.length === 0 && toolCalls.length === 0 && <span className="muted">empty</span>}
      </div>
    </article>
  );
}

export function Part({ part, isToolResult }: { readonly part: MessagePart; readonly isToolResult: boolean }) {
  switch (part.type) {
    case 'text': {
      const value = isToolResult ? parseIfJson(part.text) : undefined;
      if (isObject(value) || Array.isArray(value)) return <JsonView value={value} />;
      return (
        <div>
          <TextView text={part.text} />
        </div>
      );
    }
    case 'reasoning':
      return (
        <div className="reasoning">
          <TextView text={part.text} />
        </div>
      );
    case 'image':
      return <Image url={part.url} />;
    case 'other':
      return <JsonView value={part.value} />;
  }
}

/**
 * Shows images that are part of the span. An image at a URL is not loaded, because the request would reveal the user to
 * another server.
 */
export function Image({ url }: { readonly url: string }) {
  if (/^data:image\/(png|jpe?g|gif|webp|avif|bmp);base64,/i.test(url))
    return <img src={url} alt="Content of the message" />;
  return (
    <span className="row">
      <Icon name="link" size={13} />
      {/^https?:\/\//i.test(url) ? (
        <a className="clip" href={url} target="_blank" rel="noreferrer noopener">
          {url}
        </a>
      ) : (
        <span className="clip">{url.slice(0, 200)}</span>
      )}
    </span>
  );
}

function Call({ call }: { readonly call: ToolCall }) {
  const value = parseIfJson(call.arguments);
  return (
    <div className="tool-call kind-tool">
      <header>
        <span className="kind">
          <Icon name="tool" size={13} />
          <strong>{call.name}</strong>
        </span>
        {call.id !== undefined && (
          <code className="muted clip" title={call.id}>
            {call.id}
          </code>
        )}
        <span className="grow" />
        <CopyButton text={call.arguments ?? ''} label="Copy arguments" />
      </header>
      {value !== undefined && (
        <div>
          {isObject(value) || Array.isArray(value) ? (
            <JsonView value={value} />
          ) : (
            <TextView text={String(value)} isCode />
          )}
        </div>
      )}
    </div>
  );
}

export const toPlainText = ({ parts, toolCalls }: Message): string =>
  [
    ...parts.map((part) =>
      part.type === 'image' ? part.url : part.type === 'other' ? JSON.stringify(part.value, null, 2) : part.text,
    ),
    ...toolCalls.map(({ name, arguments: given }) => `${name}(${given ?? ''})`),
  ].join('\n\n');
