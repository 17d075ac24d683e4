import type { AnnotationConfigType } from '../../model/annotations/annotation-config.ts';
import { type GlobalIdType, rowIdOf } from './global-id.ts';

/** Type in the global ID of a config, by the type of the config. Configs of all types share their row ids. */
export const CONFIG_NODE_TYPES = {
  CATEGORICAL: 'CategoricalAnnotationConfig',
  CONTINUOUS: 'ContinuousAnnotationConfig',
  FREEFORM: 'FreeformAnnotationConfig',
} as const satisfies Record<AnnotationConfigType, GlobalIdType>;

/** The row id in the global ID of an annotation config of any type. */
export function configRowIdOf(globalId: string): number | undefined {
  for (const type of Object.values(CONFIG_NODE_TYPES)) {
    const rowId = rowIdOf(type, globalId);
    if (rowId !== undefined) return rowId;
  }
  return undefined;
}
