import type { Domain } from '../../domain/domain.ts';
import type { Route } from '../../server/route.ts';
import { annotationConfigRoutes } from './annotation-configs.ts';
import { annotationRoutes } from './annotations.ts';
import { costRoutes } from './costs.ts';
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
import { noteRoutes } from './notes.ts';
import { projectAnnotationConfigRoutes } from './project-annotation-configs.ts';
import { projectAnnotationRoutes } from './project-annotations.ts';
import { projectRoutes } from './projects.ts';
import { promptTagRoutes } from './prompt-tags.ts';
import { promptRoutes } from './prompts.ts';
import { sessionRoutes } from './sessions.ts';
import { spanExportRoutes } from './span-exports.ts';
import { spanImportRoutes } from './span-imports.ts';
import { spanQueryRoutes } from './span-queries.ts';
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
    ...spanExportRoutes(domain),
    ...spanImportRoutes(domain),
    ...spanQueryRoutes(domain),
    ...traceRoutes(domain),
    ...sessionRoutes(domain),
    ...promptRoutes(domain),
    ...promptTagRoutes(domain),
    ...annotationRoutes(domain),
    ...noteRoutes(domain),
    ...projectAnnotationRoutes(domain),
    ...annotationConfigRoutes(domain),
    ...projectAnnotationConfigRoutes(domain),
    ...datasetRoutes(domain),
    ...datasetUploadRoutes(domain, uploadDir),
    ...datasetExampleRoutes(domain),
    ...datasetExportRoutes(domain),
    ...datasetSplitRoutes(domain),
    ...datasetLabelRoutes(domain),
    ...experimentRoutes(domain),
    ...experimentRunRoutes(domain),
    ...experimentTagRoutes(domain),
    ...costRoutes(domain),
  ];
  return [...routes, ...documentationRoutes(routes, version)];
}
