import { type AnnotationConfig, CONFIG_NODE_TYPES } from '../../model/annotation-config.ts';
import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Ports } from '../ports.ts';

/** The row id in the global ID of a config, of whatever kind. */
export function configRowIdOf(globalId: string): number | undefined {
  for (const type of Object.values(CONFIG_NODE_TYPES)) {
    const rowId = rowIdOf(type, globalId);
    if (rowId !== undefined) return rowId;
  }
  return undefined;
}

/**
 * The config that a caller names by its global ID or its name.
 *
 * @throws {SpandrelError} `ANNOTATION_CONFIG_NOT_FOUND`
 */
export async function getConfig(
  { annotationConfigs }: Pick<Ports, 'annotationConfigs'>,
  identifier: string,
): Promise<AnnotationConfig> {
  const rowId = configRowIdOf(identifier);
  const found = await annotationConfigs.find(rowId === undefined ? { name: identifier } : { rowId });
  return found ?? configNotFound();
}

export const configNotFound = (): never => {
  throw new SpandrelError('ANNOTATION_CONFIG_NOT_FOUND', 'Annotation configuration not found');
};
