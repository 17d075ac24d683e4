import { lazy, Suspense } from 'react';
import { usePreferences } from '../../preferences/preferences.ts';
import type { RouteParams } from '../../router/match-route.ts';

const ProjectPage = lazy(async () => ({ default: (await import('./ProjectPage.tsx')).ProjectPage }));
const TracePage = lazy(async () => ({ default: (await import('../trace/TracePage.tsx')).TracePage }));
const TraceDrawer = lazy(async () => ({ default: (await import('../trace/TraceDrawer.tsx')).TraceDrawer }));
const NotFoundPage = lazy(async () => ({ default: (await import('../not-found/NotFoundPage.tsx')).NotFoundPage }));

/** A project's tables, a trace, or the one over the other, as the person prefers. */
export function TracingRoute({ params }: { readonly params: RouteParams }) {
  const { tracePlace } = usePreferences();
  const isTrace = params.traceId !== undefined;
  if (isTrace && params.tab !== 'spans' && params.tab !== 'traces') {
    return (
      <Suspense fallback={null}>
        <NotFoundPage />
      </Suspense>
    );
  }
  if (isTrace && tracePlace === 'page') {
    return (
      <Suspense fallback={null}>
        <TracePage params={params} />
      </Suspense>
    );
  }
  return (
    <Suspense fallback={null}>
      <ProjectPage params={params} />
      {isTrace && (
        <Suspense fallback={null}>
          <TraceDrawer params={params} />
        </Suspense>
      )}
    </Suspense>
  );
}
