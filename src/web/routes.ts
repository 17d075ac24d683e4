import type { ComponentType } from 'react';
import { TracingRoute } from './pages/project/TracingRoute.tsx';
import type { RouteParams } from './router/match-route.ts';

interface AppRoute {
  readonly path: string;
  readonly load: () => Promise<ComponentType<{ readonly params: RouteParams }>>;
}

const projects = async () => (await import('./pages/projects/ProjectsPage.tsx')).ProjectsPage;
const tracing = async () => TracingRoute;
const compare = async () => (await import('./pages/compare/ComparePage.tsx')).ComparePage;
const session = async () => (await import('./pages/session/SessionPage.tsx')).SessionPage;
const settings = async () => (await import('./pages/settings/SettingsPage.tsx')).SettingsPage;
const redirect = async () => (await import('./pages/redirects/RedirectPage.tsx')).RedirectPage;

/** Every page of the interface; each is a chunk of its own. Paths with the same page keep it while one leads to the other. */
export const ROUTES: readonly AppRoute[] = [
  { path: '/', load: projects },
  { path: '/projects', load: projects },
  { path: '/projects/:projectId', load: tracing },
  { path: '/projects/:projectId/sessions/:sessionId', load: session },
  { path: '/projects/:projectId/compare', load: compare },
  { path: '/projects/:projectId/:tab', load: tracing },
  { path: '/projects/:projectId/:tab/:traceId', load: tracing },
  { path: '/settings', load: settings },
  { path: '/settings/:part', load: settings },
  { path: '/redirects/:noun/:id', load: redirect },
];
