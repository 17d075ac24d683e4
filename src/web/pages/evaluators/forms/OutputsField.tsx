import { ConfigFields } from '../../../components/annotations/ConfigFields.tsx';
import {
  type ConfigDraft,
  NEW_CONFIG,
  toConfigDraft,
  toConfigInput,
} from '../../../components/annotations/config-draft.ts';
import { Icon } from '../../../components/Icon.tsx';
import { newId } from '../../../components/prompt/variant/variant.ts';

/** An output of an evaluator while it is edited. */
export interface OutputDraft extends ConfigDraft {
  readonly id: string;
}

type OutputInput = Exclude<ReturnType<typeof toConfigInput>, string>;

export const newOutput = (fields: Partial<ConfigDraft> = {}): OutputDraft => ({
  ...NEW_CONFIG,
  ...fields,
  id: newId(),
});

export const toOutputDrafts = (configs: readonly Parameters<typeof toConfigDraft>[0][]): readonly OutputDraft[] =>
  configs.map((config) => ({ ...toConfigDraft(config), id: newId() }));

/** The outputs as the server stores them, or the reason why one is invalid. */
export function toOutputInputs(outputs: readonly OutputDraft[]): readonly OutputInput[] | string {
  const inputs: OutputInput[] = [];
  for (const [index, { id: _, ...draft }] of outputs.entries()) {
    const input = toConfigInput(draft);
    if (typeof input === 'string') return outputs.length > 1 ? `Output ${index + 1}: ${input}` : `Output: ${input}`;
    inputs.push(input);
  }
  return inputs;
}

interface OutputsFieldProps {
  readonly outputs: readonly OutputDraft[];
  /** Kinds that an output may have. */
  readonly kinds: readonly ConfigDraft['kind'][];
  /** Number of outputs that must stay. */
  readonly countMin: number;
  /** Whether outputs can be added. Default true. */
  readonly isList?: boolean;
  /** Whether the only output is described by the evaluator. Default false. */
  readonly sharesDescription?: boolean;
  readonly onChange: (outputs: readonly OutputDraft[]) => void;
}

/** Labels or scores that an evaluator gives. */
export function OutputsField(props: OutputsFieldProps) {
  const { outputs, kinds, countMin, isList = true, sharesDescription = false, onChange } = props;
  return (
    <>
      {outputs.map((output, index) => (
        <fieldset key={output.id} className="evaluator-output">
          <legend>{outputs.length > 1 ? `Output ${index + 1}` : 'Output'}</legend>
          {outputs.length > countMin && (
            <button
              type="button"
              className="button bare small icon-only evaluator-remove"
              aria-label={`Remove output ${index + 1}`}
              onClick={() => onChange(outputs.filter(({ id }) => id !== output.id))}
            >
              <Icon name="trash" size={13} />
            </button>
          )}
          <ConfigFields
            draft={output}
            kinds={kinds}
            hasDescription={!(sharesDescription && outputs.length === 1)}
            onChange={(draft) =>
              onChange(outputs.map((each) => (each.id === output.id ? { ...draft, id: output.id } : each)))
            }
          />
        </fieldset>
      ))}
      {isList && (
        <button
          type="button"
          className="button bare small"
          onClick={() => onChange([...outputs, newOutput({ kind: kinds[0]! })])}
        >
          <Icon name="plus" size={12} /> Output
        </button>
      )}
    </>
  );
}
