import type { ComponentType } from 'react';
import { lazy } from './components/lazy.tsx';
import { prefetchComparison } from './pages/comparison/prefetch-comparison.ts';
import { TracingRoute } from './pages/project/TracingRoute.tsx';
import { matchPath, type RouteParams } from './router/match-route.ts';

interface PageProps {
  readonly params: RouteParams;
}

interface AppRoute {
  readonly path: string;
  readonly Page: ComponentType<PageProps> & {
    /** Loads the chunk of the page. */
    readonly preload: (params: RouteParams) => Promise<unknown>;
    /** Reads the first data of the page. */
    readonly prefetch?: (params: RouteParams, search: URLSearchParams) => void;
  };
}

const ProjectsPage = lazy(async () => (await import('./pages/projects/ProjectsPage.tsx')).ProjectsPage);
const ComparePage = lazy(async () => (await import('./pages/compare/ComparePage.tsx')).ComparePage);
const SessionPage = lazy(async () => (await import('./pages/session/SessionPage.tsx')).SessionPage);
const DatasetsPage = lazy(async () => (await import('./pages/datasets/DatasetsPage.tsx')).DatasetsPage);
const DatasetPage = lazy(async () => (await import('./pages/dataset/DatasetPage.tsx')).DatasetPage);
const PromptsPage = lazy(async () => (await import('./pages/prompts/PromptsPage.tsx')).PromptsPage);
const PromptPage = lazy(async () => (await import('./pages/prompt/PromptPage.tsx')).PromptPage);
const PlaygroundPage = lazy(async () => (await import('./pages/playground/PlaygroundPage.tsx')).PlaygroundPage);
const ComparisonPage = Object.assign(
  lazy(async () => (await import('./pages/comparison/ComparisonPage.tsx')).ComparisonPage),
  { prefetch: prefetchComparison },
);
const EvaluatorsPage = lazy(async () => (await import('./pages/evaluators/EvaluatorsPage.tsx')).EvaluatorsPage);
const EvaluatorFormPage = lazy(
  async () => (await import('./pages/evaluators/forms/EvaluatorFormPage.tsx')).EvaluatorFormPage,
);
const CalibrationPage = lazy(
  async () => (await import('./pages/evaluators/calibration/CalibrationPage.tsx')).CalibrationPage,
);
const DashboardsPage = lazy(async () => (await import('./pages/dashboards/DashboardsPage.tsx')).DashboardsPage);
const SettingsPage = lazy(async () => (await import('./pages/settings/SettingsPage.tsx')).SettingsPage);
const ProfilePage = lazy(async () => (await import('./pages/profile/ProfilePage.tsx')).ProfilePage);
const ExampleRedirectPage = lazy(async () => (await import('./pages/redirects/RedirectPage.tsx')).ExampleRedirectPage);
const PromptTagRedirectPage = lazy(
  async () => (await import('./pages/redirects/RedirectPage.tsx')).PromptTagRedirectPage,
);
const RedirectPage = lazy(async () => (await import('./pages/redirects/RedirectPage.tsx')).RedirectPage);
const NotFoundPage = lazy<PageProps>(async () => (await import('./pages/not-found/NotFoundPage.tsx')).NotFoundPage);

/** Every page of the interface. Paths with the same page keep it while one leads to the other. */
const ROUTES: readonly AppRoute[] = [
  { path: '/', Page: ProjectsPage },
  { path: '/projects', Page: ProjectsPage },
  { path: '/projects/:projectId', Page: TracingRoute },
  { path: '/projects/:projectId/sessions/:sessionId', Page: SessionPage },
  { path: '/projects/:projectId/compare', Page: ComparePage },
  { path: '/projects/:projectId/:tab', Page: TracingRoute },
  { path: '/projects/:projectId/:tab/:traceId', Page: TracingRoute },
  { path: '/datasets', Page: DatasetsPage },
  { path: '/datasets/:datasetId', Page: DatasetPage },
  { path: '/datasets/:datasetId/compare', Page: ComparisonPage },
  { path: '/datasets/:datasetId/:tab', Page: DatasetPage },
  { path: '/datasets/:datasetId/:tab/:itemId', Page: DatasetPage },
  { path: '/datasets/:datasetId/evaluators/new/:kind', Page: EvaluatorFormPage },
  { path: '/datasets/:datasetId/evaluators/:evaluatorId/edit', Page: EvaluatorFormPage },
  { path: '/datasets/:datasetId/evaluators/:evaluatorId/calibration', Page: CalibrationPage },
  { path: '/evaluators', Page: EvaluatorsPage },
  { path: '/prompts', Page: PromptsPage },
  { path: '/prompts/:promptId', Page: PromptPage },
  { path: '/prompts/:promptId/:tab', Page: PromptPage },
  { path: '/prompts/:promptId/:tab/:versionId', Page: PromptPage },
  { path: '/playground', Page: PlaygroundPage },
  { path: '/playground/spans/:spanId', Page: PlaygroundPage },
  { path: '/dashboards', Page: DashboardsPage },
  { path: '/dashboards/projects/:projectId', Page: DashboardsPage },
  { path: '/dashboards/projects/:projectId/:dashboardId', Page: DashboardsPage },
  { path: '/profile', Page: ProfilePage },
  { path: '/settings', Page: SettingsPage },
  { path: '/settings/:part', Page: SettingsPage },
  { path: '/redirects/datasets/:datasetId/examples/:externalId', Page: ExampleRedirectPage },
  { path: '/redirects/prompts/:promptId/tags/:tagName', Page: PromptTagRedirectPage },
  { path: '/redirects/:noun/:id', Page: RedirectPage },
];

interface FoundPage extends Pick<AppRoute, 'Page'>, PageProps {
  /** Another one for each page. */
  readonly key: number;
}

/** The page of a path, with the parameters of the path. */
export function findPage(path: string): FoundPage {
  for (const { path: pattern, Page } of ROUTES) {
    const params = matchPath(pattern, path);
    if (params) return { Page, params, key: ROUTES.findIndex((route) => route.Page === Page) };
  }
  return { Page: NotFoundPage, params: {}, key: -1 };
}
