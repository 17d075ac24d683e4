import { formatBytes } from '../../../format/numbers.ts';
import { Editor } from '../../editor/Editor.tsx';
import { Icon } from '../../Icon.tsx';
import { toast } from '../../toasts.tsx';
import type { EditedPart, Variant } from '../variant/variant.ts';
import { TemplateField } from './TemplateField.tsx';

interface PartFieldProps {
  readonly part: EditedPart;
  readonly format: Variant['format'];
  /** Names the part for screen readers, for example `User message 2`. */
  readonly label: string;
  readonly onChange: (part: EditedPart) => void;
  /** Undefined for the only part of a message. */
  readonly onRemove: (() => void) | undefined;
}

/** Larger images would not fit into a draft, and vendors reject them. */
const IMAGE_BYTES_MAX = 5_000_000;

/** A part of a message: text, an image, a tool call, or the result of one. */
export function PartField({ part, format, label, onChange, onRemove }: PartFieldProps) {
  if (part.type === 'text' && !onRemove) return <Fields {...{ part, format, label, onChange }} />;
  return (
    <div className="message-part">
      <div className="row">
        <strong className="grow">{TITLES[part.type]}</strong>
        {onRemove && (
          <button
            type="button"
            className="button bare small icon-only"
            aria-label={`Remove ${label}`}
            onClick={onRemove}
          >
            <Icon name="close" size={12} />
          </button>
        )}
      </div>
      <Fields {...{ part, format, label, onChange }} />
    </div>
  );
}

const TITLES = { text: 'Text', image: 'Image', toolCall: 'Tool call', toolResult: 'Tool result' } as const;

function Fields({ part, format, label, onChange }: Omit<PartFieldProps, 'onRemove'>) {
  switch (part.type) {
    case 'text':
      return (
        <TemplateField
          label={label}
          value={part.text}
          format={format}
          onChange={(text) => onChange({ ...part, text })}
        />
      );
    case 'image':
      return <ImageField part={part} onChange={onChange} />;
    case 'toolCall':
      return (
        <>
          <Line label="Call ID" value={part.callId} onChange={(callId) => onChange({ ...part, callId })} />
          <Line label="Function" value={part.name} onChange={(name) => onChange({ ...part, name })} />
          <Editor
            label={`Arguments, ${label}`}
            language="json"
            value={part.arguments}
            onChange={(text) => onChange({ ...part, arguments: text })}
          />
        </>
      );
    case 'toolResult':
      return (
        <>
          <Line label="Call ID" value={part.callId} onChange={(callId) => onChange({ ...part, callId })} />
          <Editor
            label={`Result, ${label}`}
            language="text"
            value={part.result}
            onChange={(result) => onChange({ ...part, result })}
          />
        </>
      );
  }
}

interface LineProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const Line = ({ label, value, onChange }: LineProps) => (
  <label className="row part-line">
    <span className="muted">{label}</span>
    <input className="input mono" value={value} onChange={(event) => onChange(event.target.value)} />
  </label>
);

interface ImageFieldProps {
  readonly part: Extract<EditedPart, { readonly type: 'image' }>;
  readonly onChange: (part: EditedPart) => void;
}

/** An address of an image, or a file of this machine, which is sent with the prompt. */
function ImageField({ part, onChange }: ImageFieldProps) {
  const isFile = part.url.startsWith('data:');
  const read = (file: File | undefined) => {
    if (!file) return;
    if (file.size > IMAGE_BYTES_MAX) {
      toast(`The image has ${formatBytes(file.size)}. The maximum is ${formatBytes(IMAGE_BYTES_MAX)}.`);
      return;
    }
    const reader = new FileReader();
    reader.onload = () => onChange({ ...part, url: String(reader.result) });
    reader.readAsDataURL(file);
  };
  return (
    <div className="row part-line">
      {isFile ? (
        <span className="grow clip">File, {formatBytes(part.url.length * 0.75)}</span>
      ) : (
        <input
          className="input mono grow"
          aria-label="Address of the image"
          placeholder="https://…"
          value={part.url}
          onChange={(event) => onChange({ ...part, url: event.target.value })}
        />
      )}
      {isFile && (
        <button type="button" className="button small" onClick={() => onChange({ ...part, url: '' })}>
          Use an address
        </button>
      )}
      <label className="button small">
        Choose file
        <input
          className="visually-hidden"
          type="file"
          accept="image/*"
          onChange={(event) => read(event.target.files?.[0])}
        />
      </label>
    </div>
  );
}
