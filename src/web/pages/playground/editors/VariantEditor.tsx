import { useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { MessageList } from '../../../components/prompt/editors/MessageList.tsx';
import { type EditedMessage, newMessage, type Variant } from '../../../components/prompt/variant/variant.ts';
import { problemsOf } from '../../../components/prompt/variant/version-input.ts';
import { FormatEditor } from './FormatEditor.tsx';
import { ToolsEditor } from './ToolsEditor.tsx';

interface VariantEditorProps {
  readonly variant: Variant;
  readonly onChange: (variant: Variant) => void;
}

/** Messages, tools and response format of a variant. */
export function VariantEditor({ variant, onChange }: VariantEditorProps) {
  const { messages, format, tools, responseFormat } = variant;
  const setMessages = (next: readonly EditedMessage[]) => onChange({ ...variant, messages: next });
  const problems = problemsOf(variant);
  return (
    <div className="variant-editor">
      <MessageList messages={messages} format={format} onChange={setMessages} />
      <div className="row editor-actions">
        <button
          type="button"
          className="button bare small"
          onClick={() => setMessages([...messages, newMessage(messages.at(-1)?.role === 'user' ? 'ai' : 'user')])}
        >
          <Icon name="plus" size={12} /> Message
        </button>
        <Part label="Tools" count={tools.length}>
          <ToolsEditor variant={variant} onChange={onChange} />
        </Part>
        <Part label="Response format" count={responseFormat === null ? 0 : 1}>
          <FormatEditor value={responseFormat} onChange={(text) => onChange({ ...variant, responseFormat: text })} />
        </Part>
      </div>
      {problems.map((problem) => (
        <p key={problem} className="error-text">
          {problem}
        </p>
      ))}
    </div>
  );
}

interface PartProps {
  readonly label: string;
  readonly count: number;
  readonly children: React.ReactNode;
}

/** A part of a variant that few prompts have. It is open while it has content, until the user closes it. */
function Part({ label, count, children }: PartProps) {
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <>
      <button type="button" className="button bare small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'down' : 'right'} size={11} /> {label}
        {count > 0 && <span className="muted"> {count}</span>}
      </button>
      {isOpen && <div className="editor-part">{children}</div>}
    </>
  );
}
