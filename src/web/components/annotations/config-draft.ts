import type { CreateConfigVariables } from './generated/annotations.ts';
import type { AnnotationConfig } from './use-annotations.ts';

type Input = CreateConfigVariables['input']['annotationConfig'];
/** The fields of a config that the input fields show. */
type DraftSource = AnnotationConfig extends infer Config
  ? Config extends unknown
    ? Omit<Config, 'id'>
    : never
  : never;
export type Direction = 'MINIMIZE' | 'MAXIMIZE' | 'NONE';

/** Annotation config in the input fields, before validation. */
export interface ConfigDraft {
  readonly kind: 'categorical' | 'continuous' | 'freeform';
  readonly name: string;
  readonly description: string;
  readonly direction: Direction;
  /** One `label = score` per line. */
  readonly labels: string;
  readonly low: string;
  readonly high: string;
  /** Settings of a freeform config, which keep their values. */
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

/** Returns the input of the mutation, or the reason why the draft is invalid. */
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
  if (Number.isNaN(lowerBound) || Number.isNaN(upperBound)) return 'Bounds must be numbers.';
  const values = readLabels(draft.labels);
  if (kind === 'categorical') {
    return values.length === 0 ? 'Enter at least one label.' : ({ categorical: { ...given, values } } as Input);
  }
  if (kind === 'continuous') return { continuous: { ...given, lowerBound, upperBound } } as Input;
  return { freeform: { ...given, threshold, lowerBound, upperBound } } as Input;
}

const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** If the text after `=` is not a number, it belongs to the label. */
function readLabels(lines: string): readonly { readonly label: string; readonly score: number | null }[] {
  return lines.split('\n').flatMap((line) => {
    const match = /^(.*\S)\s*=\s*(-?\d+(?:\.\d+)?)\s*$/.exec(line);
    const label = (match?.[1] ?? line).trim();
    return label === '' ? [] : [{ label, score: match ? Number(match[2]) : null }];
  });
}

/** Writes labels in the format that `readLabels` reads. */
export const writeLabels = (values: readonly { readonly label: string; readonly score: number | null }[]): string =>
  values.map(({ label, score }) => `${label}${score === null ? '' : ` = ${score}`}`).join('\n');

const KINDS = {
  CategoricalAnnotationConfig: 'categorical',
  ContinuousAnnotationConfig: 'continuous',
  FreeformAnnotationConfig: 'freeform',
} as const;

const toText = (value: number | null): string => (value === null ? '' : String(value));

/** A stored config in the input fields. */
export function toConfigDraft(config: DraftSource): ConfigDraft {
  const isLabels = config.__typename === 'CategoricalAnnotationConfig';
  return {
    kind: KINDS[config.__typename],
    name: config.name,
    description: config.description ?? '',
    direction: config.optimizationDirection,
    labels: isLabels ? writeLabels(config.values) : '',
    low: isLabels ? '' : toText(config.lowerBound),
    high: isLabels ? '' : toText(config.upperBound),
    threshold: config.__typename === 'FreeformAnnotationConfig' ? config.threshold : null,
  };
}
