import type {
  AnnotationConfig,
  NewAnnotationConfig,
  OptimizationDirection,
} from '../../../model/annotations/annotation-config.ts';
import { CONFIG_NODE_TYPES } from '../../contract/config-ids.ts';
import { toGlobalId } from '../../contract/global-id.ts';

/** A config as a member of the union, with a property for every field of its type. */
export const toConfigNode = (config: AnnotationConfig): object =>
  toNode(config, toGlobalId(CONFIG_NODE_TYPES[config.type], config.rowId));

/** A config that belongs to a node and has no row. Its ID contains the ID of the node. */
export function toOwnedConfigNode(config: NewAnnotationConfig, ownerId: string): object {
  const owner = Buffer.from(ownerId, 'base64').toString();
  return toNode(config, Buffer.from(`${CONFIG_NODE_TYPES[config.type]}:${owner}:${config.name}`).toString('base64'));
}

function toNode(config: NewAnnotationConfig, id: string): object {
  const optimizationDirection: OptimizationDirection = config.optimizationDirection ?? 'NONE';
  return {
    ...config,
    __typename: CONFIG_NODE_TYPES[config.type],
    id,
    annotationType: config.type,
    optimizationDirection,
  };
}
