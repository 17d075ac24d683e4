import type { Domain } from '../../domain/domain.ts';
import type { Route } from '../../server/route.ts';
import { datasetExampleRoutes } from './dataset-examples.ts';
import { datasetExportRoutes } from './dataset-exports.ts';
import { datasetLabelRoutes } from './dataset-labels.ts';
import { datasetSplitRoutes } from './dataset-splits.ts';
import { datasetUploadRoutes } from './dataset-upload.ts';
import { datasetRoutes } from './datasets.ts';
import { documentationRoutes } from './documentation.ts';
import { experimentRunRoutes } from './experiment-runs.ts';
import { experimentTagRoutes } from './experiment-tags.ts';
import { experimentRoutes } from './experiments.ts';
import { projectRoutes } from './projects.ts';
import { sessionRoutes } from './sessions.ts';
import { spanRoutes } from './spans.ts';
import { traceRoutes } from './traces.ts';

export interface RestOptions {
  readonly domain: Domain;
  /** Our own. */
  readonly version: string;
  /** For files on their way in; made when it is missing. */
  readonly uploadDir: string;
}

/** Every REST route, and the pages that describe them. */
export function restRoutes({ domain, version, uploadDir }: RestOptions): Route[] {
  const routes = [
    ...projectRoutes(domain),
    ...spanRoutes(domain),
    ...traceRoutes(domain),
    ...sessionRoutes(domain),
    ...datasetRoutes(domain),
    ...datasetUploadRoutes(domain, uploadDir),
    ...datasetExampleRoutes(domain),
    ...datasetExportRoutes(domain),
    ...datasetSplitRoutes(domain),
    ...datasetLabelRoutes(domain),
    ...experimentRoutes(domain),
    ...experimentRunRoutes(domain),
    ...experimentTagRoutes(domain),
  ];
  return [...routes, ...documentationRoutes(routes, version)];
}
