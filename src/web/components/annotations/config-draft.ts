import type { MakeConfigVariables } from './generated/annotations.ts';

type Input = MakeConfigVariables['input']['annotationConfig'];
export type Direction = 'MINIMIZE' | 'MAXIMIZE' | 'NONE';

/** Annotation config as the user types it. */
export interface ConfigDraft {
  readonly kind: 'categorical' | 'continuous' | 'freeform';
  readonly name: string;
  readonly description: string;
  readonly direction: Direction;
  /** One `label = score` per line. */
  readonly labels: string;
  readonly low: string;
  readonly high: string;
  /** Settings of a freeform config, which keep their value. */
  readonly threshold: number | null;
}

export const NEW_CONFIG: ConfigDraft = {
  kind: 'categorical',
  name: '',
  description: '',
  direction: 'MAXIMIZE',
  labels: '',
  low: '',
  high: '',
  threshold: null,
};

/** Input of the mutation, or the problem of the draft. */
export function toConfigInput(draft: ConfigDraft): Input | string {
  const { kind, threshold } = draft;
  const given = {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    optimizationDirection: draft.direction,
  };
  if (given.name === '') return 'Enter a name.';
  const lowerBound = toNumber(draft.low);
  const upperBound = toNumber(draft.high);
  if (Number.isNaN(lowerBound) || Number.isNaN(upperBound)) return 'Both bounds must be numbers.';
  const values = readLabels(draft.labels);
  if (kind === 'categorical') {
    return values.length === 0 ? 'Enter at least one label.' : ({ categorical: { ...given, values } } as Input);
  }
  if (kind === 'continuous') return { continuous: { ...given, lowerBound, upperBound } } as Input;
  return { freeform: { ...given, threshold, lowerBound, upperBound } } as Input;
}

const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** Text after `=` that is not a number belongs to the label. */
function readLabels(lines: string): readonly { readonly label: string; readonly score: number | null }[] {
  return lines.split('\n').flatMap((line) => {
    const match = /^(.*\S)\s*=\s*(-?\d+(?:\.\d+)?)\s*$/.exec(line);
    const label = (match?.[1] ?? line).trim();
    return label === '' ? [] : [{ label, score: match ? Number(match[2]) : null }];
  });
}

/** Writes labels so that `readLabels` can read them. */
export const writeLabels = (values: readonly { readonly label: string; readonly score: number | null }[]): string =>
  values.map(({ label, score }) => `${label}${score === null ? '' : ` = ${score}`}`).join('\n');
