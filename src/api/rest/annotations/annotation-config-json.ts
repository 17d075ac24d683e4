import { type Static, Type } from '@sinclair/typebox';
import type { ExactNumeric } from '../../../base/exact-json.ts';
import {
  type AnnotationConfig,
  type NewAnnotationConfig,
  OPTIMIZATION_DIRECTIONS,
} from '../../../model/annotations/annotation-config.ts';
import { CONFIG_NODE_TYPES } from '../../contract/config-ids.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { EnumOf, ExactFloat, Nullable, Tagged } from '../schema.ts';

const Name = { name: Type.String(), description: Type.Optional(Nullable(Type.String())) };
const Direction = EnumOf(OPTIMIZATION_DIRECTIONS);
const OptionalFloat = Type.Optional(Nullable(ExactFloat()));
const Bounds = { lower_bound: OptionalFloat, upper_bound: OptionalFloat };

const Categorical = Type.Object({
  type: Type.Literal('CATEGORICAL'),
  ...Name,
  optimization_direction: Direction,
  values: Type.Array(Type.Object({ label: Type.String(), score: OptionalFloat })),
});
const Continuous = Type.Object({
  type: Type.Literal('CONTINUOUS'),
  ...Name,
  optimization_direction: Direction,
  ...Bounds,
});
const Freeform = Type.Object({
  type: Type.Literal('FREEFORM'),
  ...Name,
  optimization_direction: Type.Optional(Nullable(Direction)),
  threshold: OptionalFloat,
  ...Bounds,
});

type NewConfigJson = Static<typeof Categorical> | Static<typeof Continuous> | Static<typeof Freeform>;

export const NewConfigJson = Tagged<NewConfigJson>([Categorical, Continuous, Freeform], { $id: 'NewAnnotationConfig' });

const Id = { id: Type.String({ description: 'Global ID. Its type depends on the type of the config.' }) };
const NullableFloat = Nullable(Type.Number());
const Shown = { name: Type.String(), description: Nullable(Type.String()), ...Id };
const ShownBounds = { lower_bound: NullableFloat, upper_bound: NullableFloat };

export const ConfigJson = Type.Unsafe<object>({
  $id: 'AnnotationConfig',
  anyOf: [
    Type.Object({
      type: Type.Literal('CATEGORICAL'),
      ...Shown,
      optimization_direction: Direction,
      values: Type.Array(Type.Object({ label: Type.String(), score: NullableFloat })),
    }),
    Type.Object({ type: Type.Literal('CONTINUOUS'), ...Shown, optimization_direction: Direction, ...ShownBounds }),
    Type.Object({
      type: Type.Literal('FREEFORM'),
      ...Shown,
      optimization_direction: Nullable(Direction),
      threshold: NullableFloat,
      ...ShownBounds,
    }),
  ],
  discriminator: { propertyName: 'type' },
});

export const CONFIG_EXAMPLE = {
  type: 'CATEGORICAL',
  name: 'correctness',
  description: 'Is the answer right?',
  optimization_direction: 'MAXIMIZE',
  values: [
    { label: 'correct', score: 1 },
    { label: 'incorrect', score: 0 },
  ],
} as const;

export const SHOWN_CONFIG_EXAMPLE = { ...CONFIG_EXAMPLE, id: toGlobalId('CategoricalAnnotationConfig', 2) };

export function toNewConfig(json: NewConfigJson): NewAnnotationConfig {
  const named = { name: json.name, description: json.description ?? null };
  switch (json.type) {
    case 'CATEGORICAL':
      return {
        ...named,
        type: json.type,
        optimizationDirection: json.optimization_direction,
        values: json.values.map(({ label, score }) => ({ label, score: toNumber(score) })),
      };
    case 'CONTINUOUS':
      return { ...named, type: json.type, optimizationDirection: json.optimization_direction, ...toBounds(json) };
    case 'FREEFORM':
      return {
        ...named,
        type: json.type,
        optimizationDirection: json.optimization_direction ?? null,
        threshold: toNumber(json.threshold),
        ...toBounds(json),
      };
  }
}

type Float = ExactNumeric | null | undefined;

const toNumber = (value: Float): number | null => (value == null ? null : Number(value));

const toBounds = (json: { readonly lower_bound?: Float; readonly upper_bound?: Float }) => ({
  lowerBound: toNumber(json.lower_bound),
  upperBound: toNumber(json.upper_bound),
});

/** Every field of its kind, null when unset. */
export function toConfigJson(config: AnnotationConfig): object {
  const { type, name, description, optimizationDirection } = config;
  return {
    id: toGlobalId(CONFIG_NODE_TYPES[type], config.rowId),
    type,
    name,
    description,
    optimization_direction: optimizationDirection,
    ...(config.type === 'CATEGORICAL'
      ? { values: config.values }
      : { lower_bound: config.lowerBound, upper_bound: config.upperBound }),
    ...(config.type === 'FREEFORM' && { threshold: config.threshold }),
  };
}
