import { findTags } from '../../../../semconv/template-tags.ts';
import { SelectField } from '../../../components/fields.tsx';
import type { JudgeTemplate } from './judge.ts';

interface TemplateSelectProps {
  readonly templates: readonly JudgeTemplate[];
  /** Name of the chosen template. Empty for a prompt of the user. */
  readonly value: string;
  readonly onChoose: (template: JudgeTemplate) => void;
}

/** Ready-made judges, grouped by the values that they need. */
export const TemplateSelect = ({ templates, value, onChoose }: TemplateSelectProps) => (
  <SelectField
    label="Start from"
    value={value}
    onChange={(value) => {
      const chosen = templates.find(({ name }) => name === value);
      if (chosen) onChoose(chosen);
    }}
  >
    <option value="" disabled={value !== ''}>
      A prompt of your own
    </option>
    {groupTemplates(templates).map(([label, members]) => (
      <optgroup key={label} label={label}>
        {members.map(({ name, description }) => (
          <option key={name} value={name}>
            {name}: {description}
          </option>
        ))}
      </optgroup>
    ))}
  </SelectField>
);

/** Groups in their order, each with the variables that only its judges have. A judge belongs to the first group that fits. */
const GROUPS: readonly (readonly [label: string, variables: readonly string[]])[] = [
  ['A conversation', ['conversation']],
  ['Tool calls', ['available_tools', 'tool_selection', 'tool_call']],
  ['An answer and its retrieved context', ['context', 'document_text']],
  ['An answer and a reference answer', ['reference']],
];
const OTHERS = 'An answer';

/** Templates by what they judge, the simplest first. Empty groups are left out. */
export function groupTemplates(
  templates: readonly JudgeTemplate[],
): readonly (readonly [label: string, templates: readonly JudgeTemplate[]])[] {
  const labelOf = (template: JudgeTemplate): string => {
    const names = variableNames(template);
    return GROUPS.find(([, variables]) => variables.some((name) => names.has(name)))?.[0] ?? OTHERS;
  };
  return [OTHERS, ...GROUPS.map(([label]) => label).toReversed()].flatMap((label) => {
    const members = templates.filter((template) => labelOf(template) === label);
    return members.length === 0 ? [] : [[label, members] as const];
  });
}

const variableNames = ({ messages }: JudgeTemplate): ReadonlySet<string> =>
  new Set(
    messages
      .flatMap(({ content }) => content)
      .flatMap((part) => (part.__typename === 'TextContentPart' ? findTags(part.text.text, 'MUSTACHE') : []))
      .map(({ name }) => name),
  );
