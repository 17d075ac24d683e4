import { expectPresent } from '../../../base/expect-present.ts';
import {
  checkAnnotationConfig,
  type NewAnnotationConfig,
  type OptimizationDirection,
} from '../../../model/annotations/annotation-config.ts';
import { reject } from '../arguments.ts';

interface BoundsInput {
  readonly lowerBound?: number | null;
  readonly upperBound?: number | null;
}
interface NamedInput {
  readonly name: string;
  readonly description?: string | null;
}
/** `AnnotationConfigInput`, in which exactly one field is set. */
export interface ConfigInput {
  readonly categorical?: NamedInput & {
    readonly optimizationDirection: OptimizationDirection;
    readonly values: readonly { readonly label: string; readonly score?: number | null }[];
  };
  readonly continuous?: NamedInput & BoundsInput & { readonly optimizationDirection: OptimizationDirection };
  readonly freeform?: NamedInput &
    BoundsInput & {
      readonly optimizationDirection?: OptimizationDirection | null;
      readonly threshold?: number | null;
    };
}
/** @throws {SpandrelError} `QUERY_INVALID`, and those of `checkAnnotationConfig` */
export function toNewConfig({ categorical, continuous, freeform }: ConfigInput): NewAnnotationConfig {
  const kinds = [categorical, continuous, freeform].filter((kind) => kind != null);
  if (kinds.length !== 1) reject('Exactly one kind of annotation config must be specified.');
  const config = toConfig({ categorical, continuous, freeform });
  checkAnnotationConfig(config);
  return config;
}

function toConfig({ categorical, continuous, freeform }: ConfigInput): NewAnnotationConfig {
  if (categorical) {
    const values = categorical.values.map(({ label, score = null }) => ({ label, score }));
    const { optimizationDirection } = categorical;
    return { ...named(categorical), type: 'CATEGORICAL', optimizationDirection, values };
  }
  if (continuous) {
    const { optimizationDirection } = continuous;
    return { ...named(continuous), ...bounds(continuous), type: 'CONTINUOUS', optimizationDirection };
  }
  const { optimizationDirection = null, threshold = null, ...rest } = expectPresent(freeform, 'one kind is given');
  return { ...named(rest), ...bounds(rest), type: 'FREEFORM', optimizationDirection, threshold };
}

const named = ({ name, description = null }: NamedInput) => ({ name, description });
const bounds = ({ lowerBound = null, upperBound = null }: BoundsInput) => ({ lowerBound, upperBound });
