import type { Domain, DomainFor, ReplicaReads } from '../../domain/domain.ts';
import type { HttpRequest, HttpResponse, Route } from '../../server/route.ts';
import { apiKeyRoutes } from './access/api-keys.ts';
import { auditLogRoutes } from './access/audit-log.ts';
import { userRoutes } from './access/users.ts';
import { annotationConfigRoutes } from './annotations/annotation-configs.ts';
import { annotationRoutes } from './annotations/annotations.ts';
import { noteRoutes } from './annotations/notes.ts';
import { projectAnnotationConfigRoutes } from './annotations/project-annotation-configs.ts';
import { projectAnnotationRoutes } from './annotations/project-annotations.ts';
import { chatCompletionRoutes } from './chat/chat-completions.ts';
import { datasetExampleRoutes } from './datasets/dataset-examples.ts';
import { datasetExportRoutes } from './datasets/dataset-exports.ts';
import { datasetFileRoutes } from './datasets/dataset-files.ts';
import { datasetLabelRoutes } from './datasets/dataset-labels.ts';
import { datasetSplitRoutes } from './datasets/dataset-splits.ts';
import { datasetUploadRoutes } from './datasets/dataset-upload.ts';
import { datasetRoutes } from './datasets/datasets.ts';
import { spanExampleRoutes } from './datasets/span-examples.ts';
import type { RestRoute } from './define-route.ts';
import { documentationRoutes } from './documentation.ts';
import { experimentComparisonRoutes } from './experiments/experiment-comparisons.ts';
import { experimentRunRoutes } from './experiments/experiment-runs.ts';
import { experimentTagRoutes } from './experiments/experiment-tags.ts';
import { experimentRoutes } from './experiments/experiments.ts';
import { handleOnce } from './idempotent-request.ts';
import { costRoutes } from './projects/costs.ts';
import { projectAccessRoutes } from './projects/project-access.ts';
import { projectRoutes } from './projects/projects.ts';
import { promptTagRoutes } from './prompts/prompt-tags.ts';
import { promptRoutes } from './prompts/prompts.ts';
import { secretRoutes } from './secrets/secrets.ts';
import { spanExportRoutes } from './spans/span-exports.ts';
import { spanImportRoutes } from './spans/span-imports.ts';
import { spanQueryRoutes } from './spans/span-queries.ts';
import { spanRoutes } from './spans/spans.ts';
import { sessionRoutes } from './traces/sessions.ts';
import { traceRoutes } from './traces/traces.ts';

export interface RestOptions {
  readonly domainFor: DomainFor;
  readonly replicaReads?: ReplicaReads | undefined;
  /** Version of this server. */
  readonly version: string;
  /** Directory of files that are being uploaded. It is created when it does not exist. */
  readonly uploadDir: string;
  /** Fires when the server stops. Calls to models end then. Never by default. */
  readonly closing?: AbortSignal;
}

/** Every REST route, and the pages that describe them. */
export function restRoutes({
  domainFor,
  replicaReads,
  version,
  uploadDir,
  closing = new AbortController().signal,
}: RestOptions): Route[] {
  const routes = [
    ...userRoutes(),
    ...apiKeyRoutes(),
    ...auditLogRoutes(),
    ...projectRoutes(),
    ...projectAccessRoutes(),
    ...spanRoutes(),
    ...spanExportRoutes(),
    ...spanImportRoutes(),
    ...spanQueryRoutes(),
    ...traceRoutes(),
    ...sessionRoutes(),
    ...promptRoutes(),
    ...promptTagRoutes(),
    ...annotationRoutes(),
    ...noteRoutes(),
    ...projectAnnotationRoutes(),
    ...annotationConfigRoutes(),
    ...projectAnnotationConfigRoutes(),
    ...datasetRoutes(),
    ...datasetUploadRoutes(uploadDir),
    ...datasetFileRoutes(uploadDir),
    ...datasetExampleRoutes(),
    ...datasetExportRoutes(),
    ...datasetSplitRoutes(),
    ...spanExampleRoutes(),
    ...datasetLabelRoutes(),
    ...experimentRoutes(),
    ...experimentComparisonRoutes(),
    ...experimentRunRoutes(),
    ...experimentTagRoutes(),
    ...costRoutes(),
    ...secretRoutes(),
    ...chatCompletionRoutes(closing),
  ];
  const handle = replicaReads ? handleWith(domainFor, replicaReads) : undefined;
  const served = routes.map(
    (route): Route => ({
      ...route,
      handle: (request) =>
        handle ? handle(route, request) : handleRoute(route, request, domainFor(request.caller, request.clientAddress)),
    }),
  );
  return [...served, ...documentationRoutes(routes, version)];
}

function handleRoute(route: RestRoute, request: HttpRequest, domain: Domain): Promise<HttpResponse> {
  const { idempotency: rule } = route.described;
  const handle = (received: HttpRequest) => route.handle(received, domain);
  return rule === undefined ? handle(request) : handleOnce(request, { domain, rule, handle });
}

/** Reads come from the replica, if possible. */
const handleWith =
  (domainFor: DomainFor, { domainFor: domainForReads, afterWrites }: ReplicaReads) =>
  async (route: RestRoute, request: HttpRequest): Promise<HttpResponse> => {
    const { caller, clientAddress } = request;
    // A POST with this right is a query whose conditions are in the body.
    if (route.method === 'GET' || route.access === 'query') {
      return route.handle(request, await domainForReads(caller, clientAddress));
    }
    try {
      return await handleRoute(route, request, domainFor(caller, clientAddress));
    } finally {
      await afterWrites(caller);
    }
  };
