import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { addNewMatches, countNewMatches } from './add-new-matches.ts';
import { addEditedSpan, addSpans, previewSpans } from './add-spans.ts';
import { createSource, deleteSource } from './change-sources.ts';
import { rememberMapping } from './remember-mapping.ts';

/** All operations of API layers on mappings of spans to examples, and on saved sources of datasets. */
export const createDatasetSourceOperations = (ports: Ports) => ({
  ...pick(ports.datasetSources, 'list', 'find', 'findMapping'),
  ...bindToPorts(ports, {
    previewSpans,
    addSpans,
    addEditedSpan,
    rememberMapping,
    create: createSource,
    delete: deleteSource,
    countNewMatches,
    addNewMatches,
  }),
});

export type DatasetSourceOperations = ReturnType<typeof createDatasetSourceOperations>;
