import { type OfferedParameter, offeredParameters } from '../../../model/models/offered-parameters.ts';
import { providerOfSpan } from '../../../model/models/provider-of-span.ts';
import type { SpanBody } from '../../../model/spans/span.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { fromRow, type Resolvers } from '../resolvers.ts';
import { attributeAt } from '../spans/span-attributes.ts';

const row = fromRow(({ spans }) => spans);

/** Parameters that the model of a span accepts. */
export const invocationParameterResolvers: Resolvers = {
  invocationParameters: row(({ rowId, spanKind }, { loaders }) =>
    spanKind === 'LLM' ? whenKnown(loaders.spanBodies.load(rowId), (body) => (body ? parametersOf(body) : [])) : [],
  ),
};

function parametersOf(body: SpanBody): object[] {
  const text = (name: string) => {
    const value = attributeAt(body, 'llm', name);
    return typeof value === 'string' ? value : '';
  };
  const name = text('model_name');
  return offeredParameters(providerOfSpan(text('provider'), name), name).map(toParameter);
}

const TYPES = {
  int: ['IntInvocationParameter', 'value_int'],
  boundedFloat: ['BoundedFloatInvocationParameter', 'value_float'],
  string: ['StringInvocationParameter', 'value_string'],
  stringList: ['StringListInvocationParameter', 'value_string_list'],
  json: ['JSONInvocationParameter', 'value_json'],
} as const satisfies Record<OfferedParameter['type'], readonly [string, string]>;

export function toParameter({
  type,
  name,
  canonicalName,
  label,
  isRequired,
  bounds,
  ...rest
}: OfferedParameter): object {
  const [typeName, invocationInputField] = TYPES[type];
  return {
    __typename: typeName,
    invocationName: name,
    canonicalName,
    label,
    required: isRequired === true,
    invocationInputField,
    defaultValue: rest.default ?? null,
    ...(bounds && { minValue: bounds[0], maxValue: bounds[1] }),
  };
}
