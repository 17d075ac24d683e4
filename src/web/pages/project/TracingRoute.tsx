import { lazy } from '../../components/lazy.tsx';
import { getPreferences, type Preferences, usePreferences } from '../../preferences/preferences.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { prefetchTracing } from './prefetch-tracing.ts';

const ProjectPage = lazy(async () => (await import('./ProjectPage.tsx')).ProjectPage);
const TracePage = lazy(async () => (await import('../trace/TracePage.tsx')).TracePage);
const TraceDrawer = lazy(async () => (await import('../trace/TraceDrawer.tsx')).TraceDrawer);
const NotFoundPage = lazy<{ readonly params: RouteParams }>(
  async () => (await import('../not-found/NotFoundPage.tsx')).NotFoundPage,
);

/** Tables of a project, a trace, or a trace over its table, by the user's preference. */
function Tracing({ params }: { readonly params: RouteParams }) {
  const preferences = usePreferences();
  return pagesOf(params, preferences).map((Page, index) => <Page key={PAGE_KEYS[index]} params={params} />);
}

const PAGE_KEYS = ['page', 'drawer'];

function pagesOf({ tab, traceId }: RouteParams, { tracePlace }: Preferences) {
  if (traceId === undefined) return [ProjectPage];
  if (tab !== 'spans' && tab !== 'traces') return [NotFoundPage];
  return tracePlace === 'page' ? [TracePage] : [ProjectPage, TraceDrawer];
}

export const TracingRoute = Object.assign(Tracing, {
  prefetch: prefetchTracing,
  preload: (params: RouteParams) => Promise.all(pagesOf(params, getPreferences()).map(({ preload }) => preload())),
});
