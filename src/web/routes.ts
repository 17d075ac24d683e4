import type { ComponentType } from 'react';
import type { RouteParams } from './router/match-route.ts';

interface AppRoute {
  readonly path: string;
  readonly load: () => Promise<ComponentType<{ readonly params: RouteParams }>>;
}

const projects = async () => (await import('./pages/projects/ProjectsPage.tsx')).ProjectsPage;
const project = async () => (await import('./pages/project/ProjectPage.tsx')).ProjectPage;
const trace = async () => (await import('./pages/trace/TracePage.tsx')).TracePage;
const session = async () => (await import('./pages/session/SessionPage.tsx')).SessionPage;
const settings = async () => (await import('./pages/settings/SettingsPage.tsx')).SettingsPage;
const redirect = async () => (await import('./pages/redirects/RedirectPage.tsx')).RedirectPage;

/** Every page of the interface; each is a chunk of its own. */
export const ROUTES: readonly AppRoute[] = [
  { path: '/', load: projects },
  { path: '/projects', load: projects },
  { path: '/projects/:projectId', load: project },
  { path: '/projects/:projectId/:tab', load: project },
  { path: '/projects/:projectId/spans/:traceId', load: trace },
  { path: '/projects/:projectId/traces/:traceId', load: trace },
  { path: '/projects/:projectId/sessions/:sessionId', load: session },
  { path: '/settings', load: settings },
  { path: '/redirects/:noun/:id', load: redirect },
];
