import type { ComponentType } from 'react';
import { lazy } from './components/lazy.tsx';
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
const SettingsPage = lazy(async () => (await import('./pages/settings/SettingsPage.tsx')).SettingsPage);
const ProfilePage = lazy(async () => (await import('./pages/profile/ProfilePage.tsx')).ProfilePage);
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
  { path: '/profile', Page: ProfilePage },
  { path: '/settings', Page: SettingsPage },
  { path: '/settings/:part', Page: SettingsPage },
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
