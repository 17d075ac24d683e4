import { InputField, SelectField, TextAreaField } from '../fields.tsx';
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
        <TextAreaField
          label="Labels"
          isMono
          hint="One label per line. An optional score follows an equals sign."
          dir="auto"
          rows={4}
          placeholder={'correct = 1\nwrong = 0'}
          value={draft.labels}
          onChange={(value) => change({ labels: value })}
        />
      ) : (
        <div className="config-bounds">
          <Text label="Lowest score" value={draft.low} onChange={(low) => change({ low })} />
          <Text label="Highest score" value={draft.high} onChange={(high) => change({ high })} />
        </div>
      )}
      <SelectField
        label="Better scores"
        value={draft.direction}
        onChange={(value) => change({ direction: value as Direction })}
      >
        <option value="MAXIMIZE">Higher</option>
        <option value="MINIMIZE">Lower</option>
        <option value="NONE">Neither</option>
      </SelectField>
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
  return <InputField label={label} value={value} placeholder={placeholder} spellCheck={false} onChange={onChange} />;
}
