import type { AnnotationConfig } from '../../model/annotations/annotation-config.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';
import type { ConfigAssignment } from './annotation-config-repository.ts';
import { configNotFound } from './get-annotation-config.ts';

type Configs = Pick<Ports, 'annotationConfigs'>;

/**
 * The public contracts differ. GraphQL rejects a repetition (`reject`), and REST responds as if it were the first
 * request, because its methods are idempotent (`ignore`).
 */
export type OnRepetition = 'reject' | 'ignore';

/**
 * Assigns configs to projects, all of them or none.
 *
 * @throws {SpandrelError} `ANNOTATION_CONFIG_NOT_FOUND` when a project or config does not exist,
 *   `ANNOTATION_CONFIG_ASSIGNED`
 */
export async function assignConfigs(
  { annotationConfigs }: Configs,
  assignments: readonly ConfigAssignment[],
  onRepetition: OnRepetition,
): Promise<void> {
  const result = await annotationConfigs.assign(assignments, onRepetition === 'reject');
  if (result === undefined) configNotFound();
  if (result === 'assignedBefore') {
    throw new SpandrelError('ANNOTATION_CONFIG_ASSIGNED', 'The annotation config is already assigned to the project');
  }
}

/** @throws {SpandrelError} `ANNOTATION_CONFIG_NOT_FOUND` when a config is not assigned and repetitions are rejected */
export async function unassignConfigs(
  { annotationConfigs }: Configs,
  assignments: readonly ConfigAssignment[],
  onRepetition: OnRepetition,
): Promise<void> {
  if ((await annotationConfigs.unassign(assignments, onRepetition === 'reject')) === undefined) configNotFound();
}

/**
 * Assigns exactly these configs to a project.
 *
 * @throws {SpandrelError} `QUERY_INVALID` when a config does not exist; then nothing changes
 */
export async function setConfigsOfProject(
  { annotationConfigs }: Configs,
  projectId: number,
  configRowIds: readonly number[],
): Promise<AnnotationConfig[]> {
  const configs = await annotationConfigs.setOfProject(projectId, [...new Set(configRowIds)]);
  if (configs) return configs;
  throw new SpandrelError('QUERY_INVALID', 'One or more annotation configurations were not found');
}
