import { authorOf } from '../../model/access/caller.ts';
import type { SpanMapping } from '../../model/dataset-source.ts';
import type { Ports } from '../ports.ts';
import { projectNotFound } from '../projects/get-project.ts';
import { checkSpanMapping } from './map-span.ts';

/** Remembers the mapping for the next spans of a project. @throws {SpandrelError} `PROJECT_NOT_FOUND`, `QUERY_INVALID` */
export async function rememberMapping(
  { datasetSources, caller }: Pick<Ports, 'datasetSources' | 'caller'>,
  projectId: number,
  mapping: SpanMapping,
): Promise<SpanMapping> {
  const checked = checkSpanMapping(mapping);
  if (await datasetSources.saveMapping(projectId, checked, authorOf(caller))) return checked;
  throw projectNotFound(projectId);
}
