import type { operations, SpandrelClient } from '@spandrel/client';
import { toChoices } from '../evaluators/choices.ts';
import { ClassificationEvaluator } from '../evaluators/classification-evaluator.ts';
import type { EvaluatorBase } from '../evaluators/evaluator-base.ts';

type NewConfig = NonNullable<operations['createAnnotationConfig']['requestBody']>['content']['application/json'];

/** What was done so that the annotations of an evaluator have a config. */
export type ConfigChange = 'created' | 'changed' | 'unchanged';

/**
 * Creates the annotation config of an evaluator, or adds what an existing one lacks: labels, and the direction if it has none. Labels
 * and a direction that users have set stay.
 */
export async function fitAnnotationConfig(
  client: SpandrelClient,
  evaluator: EvaluatorBase<never>,
): Promise<ConfigChange> {
  const wanted = wantedConfig(evaluator);
  const found = await findConfig(client, evaluator.name);
  if (!found) {
    await client.POST('/v1/annotation_configs', { body: wanted });
    return 'created';
  }
  const { id, ...current } = found;
  const body = merge(current as NewConfig, wanted);
  if (JSON.stringify(body) === JSON.stringify(current)) return 'unchanged';
  await client.PUT('/v1/annotation_configs/{config_id}', { params: { path: { config_id: id } }, body });
  return 'changed';
}

function wantedConfig(evaluator: EvaluatorBase<never>): NewConfig {
  const { name, optimizationDirection } = evaluator;
  if (!((evaluator as unknown) instanceof ClassificationEvaluator)) {
    return { type: 'CONTINUOUS', name, optimization_direction: optimizationDirection };
  }
  const { choices } = evaluator as unknown as ClassificationEvaluator;
  return {
    type: 'CATEGORICAL',
    name,
    optimization_direction: optimizationDirection,
    values: toChoices(choices).map(({ label, score }) => ({ label, score: score ?? null })),
  };
}

async function findConfig(client: SpandrelClient, name: string) {
  let cursor: string | undefined;
  do {
    const { data } = await client.GET('/v1/annotation_configs', {
      params: { query: { limit: 100, ...(cursor && { cursor }) } },
    });
    const found = data?.data.find((config) => config.name === name);
    if (found) return found;
    cursor = data?.next_cursor ?? undefined;
  } while (cursor);
  return undefined;
}

function merge(current: NewConfig, wanted: NewConfig): NewConfig {
  const direction = current.optimization_direction ?? 'NONE';
  const optimization_direction = direction === 'NONE' ? (wanted.optimization_direction ?? 'NONE') : direction;
  if (current.type !== 'CATEGORICAL' || wanted.type !== 'CATEGORICAL')
    return { ...current, optimization_direction } as NewConfig;
  const known = new Set(current.values.map(({ label }) => label));
  const values = [...current.values, ...wanted.values.filter(({ label }) => !known.has(label))];
  return { ...current, optimization_direction, values };
}
