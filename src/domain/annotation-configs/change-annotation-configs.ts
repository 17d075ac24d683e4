import {
  type AnnotationConfig,
  checkAnnotationConfig,
  type NewAnnotationConfig,
} from '../../model/annotations/annotation-config.ts';
import type { Ports } from '../ports.ts';
import { configNotFound } from './get-annotation-config.ts';

type Configs = Pick<Ports, 'annotationConfigs'>;

/** @throws {SpandrelError} `ANNOTATION_CONFIG_INVALID`, `ANNOTATION_CONFIG_NAME_TAKEN` */
export async function createConfig(
  { annotationConfigs }: Configs,
  config: NewAnnotationConfig,
): Promise<AnnotationConfig> {
  checkAnnotationConfig(config);
  return annotationConfigs.create(config);
}

/**
 * Replaces all of a config, its type included.
 *
 * @throws {SpandrelError} `ANNOTATION_CONFIG_INVALID`, `ANNOTATION_CONFIG_NOT_FOUND`, `ANNOTATION_CONFIG_NAME_TAKEN`
 */
export async function replaceConfig(
  { annotationConfigs }: Configs,
  rowId: number,
  config: NewAnnotationConfig,
): Promise<AnnotationConfig> {
  checkAnnotationConfig(config);
  return (await annotationConfigs.replace(rowId, config)) ?? configNotFound();
}

/**
 * Deletes all of these configs or none. Annotations of their names stay.
 *
 * @throws {SpandrelError} `ANNOTATION_CONFIG_NOT_FOUND`
 */
export async function deleteConfigs(
  { annotationConfigs }: Configs,
  rowIds: readonly number[],
): Promise<AnnotationConfig[]> {
  return (await annotationConfigs.delete([...new Set(rowIds)])) ?? configNotFound();
}
