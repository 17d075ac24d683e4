import { type AnnotationConfig, CONFIG_NODE_TYPES, type OptimizationDirection } from '../../model/annotation-config.ts';
import { toGlobalId } from '../../model/global-id.ts';

/** A config as a member of the union, every field of its type a property. */
export function toConfigNode(config: AnnotationConfig): object {
  const __typename = CONFIG_NODE_TYPES[config.type];
  const optimizationDirection: OptimizationDirection = config.optimizationDirection ?? 'NONE';
  return {
    ...config,
    __typename,
    id: toGlobalId(__typename, config.rowId),
    annotationType: config.type,
    optimizationDirection,
  };
}
