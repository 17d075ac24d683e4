import { SpandrelError } from '../errors.ts';
import { ANNOTATION_CONFIG_NAME_BYTES_MAX } from '../limits/reads.ts';
import { NOTE_NAME } from './annotation.ts';

/** The direction in which a score is better. */
export const OPTIMIZATION_DIRECTIONS = ['MINIMIZE', 'MAXIMIZE', 'NONE'] as const;
export type OptimizationDirection = (typeof OPTIMIZATION_DIRECTIONS)[number];

export interface CategoricalValue {
  readonly label: string;
  readonly score: number | null;
}

interface Named {
  readonly name: string;
  readonly description: string | null;
}

/** The definition of annotations of one name, from which forms are built. */
export type NewAnnotationConfig =
  | (Named & {
      readonly type: 'CATEGORICAL';
      readonly optimizationDirection: OptimizationDirection;
      readonly values: readonly CategoricalValue[];
    })
  | (Named & {
      readonly type: 'CONTINUOUS';
      readonly optimizationDirection: OptimizationDirection;
      readonly lowerBound: number | null;
      readonly upperBound: number | null;
    })
  | (Named & {
      readonly type: 'FREEFORM';
      readonly optimizationDirection: OptimizationDirection | null;
      readonly threshold: number | null;
      readonly lowerBound: number | null;
      readonly upperBound: number | null;
    });

export type AnnotationConfig = NewAnnotationConfig & { readonly rowId: number };

export type AnnotationConfigType = NewAnnotationConfig['type'];

/** Created at every start if its name is unused: applications send it when users press a thumb. */
export const USER_FEEDBACK: NewAnnotationConfig = {
  type: 'CATEGORICAL',
  name: 'user_feedback',
  description: null,
  optimizationDirection: 'MAXIMIZE',
  values: [
    { label: 'positive', score: 1 },
    { label: 'negative', score: 0 },
  ],
};

/**
 * @throws {SpandrelError} `ANNOTATION_CONFIG_NAME_TAKEN` if the name is the one of notes, `ANNOTATION_CONFIG_INVALID`
 */
export function checkAnnotationConfig(config: NewAnnotationConfig): void {
  if (config.name === NOTE_NAME) {
    throw new SpandrelError(
      'ANNOTATION_CONFIG_NAME_TAKEN',
      `The name '${NOTE_NAME}' is reserved for trace and span notes and cannot be used for annotation configs.`,
    );
  }
  const problem = problemOf(config);
  if (problem !== undefined) throw new SpandrelError('ANNOTATION_CONFIG_INVALID', problem);
}

function problemOf(config: NewAnnotationConfig): string | undefined {
  if (Buffer.byteLength(config.name) > ANNOTATION_CONFIG_NAME_BYTES_MAX) {
    return `Name must have at most ${ANNOTATION_CONFIG_NAME_BYTES_MAX} bytes of UTF-8`;
  }
  return config.type === 'CATEGORICAL' ? problemOfValues(config.values) : problemOfBounds(config);
}

function problemOfValues(values: readonly CategoricalValue[]): string | undefined {
  if (values.length === 0) return 'Values must be non-empty';
  const labels = new Set<string>();
  for (const { label } of values) {
    if (label === '') return 'Label must be non-empty';
    if (labels.has(label)) return `Values for categorical annotation config has duplicate label: "${label}"`;
    labels.add(label);
  }
  return undefined;
}

interface Bounds {
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
}

const problemOfBounds = ({ lowerBound, upperBound }: Bounds): string | undefined =>
  lowerBound !== null && upperBound !== null && lowerBound >= upperBound
    ? 'Lower bound must be strictly less than upper bound'
    : undefined;
