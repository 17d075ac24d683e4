import type { AnnotationConfig } from '../../model/annotations/annotation-config.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';
import type { AnnotationConfigRef } from './annotation-config-repository.ts';

/** @throws {SpandrelError} `ANNOTATION_CONFIG_NOT_FOUND` */
export const getConfig = async (
  { annotationConfigs }: Pick<Ports, 'annotationConfigs'>,
  ref: AnnotationConfigRef,
): Promise<AnnotationConfig> => (await annotationConfigs.find(ref)) ?? configNotFound();

export const configNotFound = (message = 'Annotation configuration not found'): never => {
  throw new SpandrelError('ANNOTATION_CONFIG_NOT_FOUND', message);
};
