import { Switch } from '../values/Card.tsx';
import type { ConfigDraft, Direction } from './config-draft.ts';

interface ConfigFieldsProps {
  readonly draft: ConfigDraft;
  /** Kinds that the user can choose. Default all. */
  readonly kinds?: readonly ConfigDraft['kind'][];
  /** Whether the config has a description of its own. Default true. */
  readonly hasDescription?: boolean;
  readonly onChange: (draft: ConfigDraft) => void;
}

const KINDS = [
  ['categorical', 'Labels'],
  ['continuous', 'Score'],
  ['freeform', 'Free text'],
] as const;

/** Fields of an annotation config. */
export function ConfigFields({ draft, kinds, hasDescription = true, onChange }: ConfigFieldsProps) {
  const change = (part: Partial<ConfigDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <Text label="Name" value={draft.name} placeholder="correctness" onChange={(name) => change({ name })} />
      {hasDescription && (
        <Text label="Description" value={draft.description} onChange={(description) => change({ description })} />
      )}
      <Switch
        label="Kind"
        values={KINDS.filter(([kind]) => kinds?.includes(kind) ?? true)}
        value={draft.kind}
        onChange={(kind) => change({ kind })}
      />
      {draft.kind === 'categorical' ? (
        <label className="field">
          <span>Labels</span>
          <textarea
            dir="auto"
            className="input mono"
            rows={4}
            placeholder={'correct = 1\nwrong = 0'}
            value={draft.labels}
            onChange={(event) => change({ labels: event.target.value })}
          />
          <span className="muted">One label per line. An optional score follows an equals sign.</span>
        </label>
      ) : (
        <div className="config-bounds">
          <Text label="Lowest score" value={draft.low} onChange={(low) => change({ low })} />
          <Text label="Highest score" value={draft.high} onChange={(high) => change({ high })} />
        </div>
      )}
      <label className="field">
        <span>Better scores</span>
        <select
          className="input"
          value={draft.direction}
          onChange={(event) => change({ direction: event.target.value as Direction })}
        >
          <option value="MAXIMIZE">Higher</option>
          <option value="MINIMIZE">Lower</option>
          <option value="NONE">Neither</option>
        </select>
      </label>
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

function Text({ label, value, placeholder, onChange }: TextProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input"
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
