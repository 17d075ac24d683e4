import { type ComponentType, lazy, Suspense, useEffect, useMemo } from 'react';
import { FailureBoundary } from './components/Failure.tsx';
import { applyTheme } from './preferences/apply-theme.ts';
import { usePreferences } from './preferences/preferences.ts';
import { useLocation } from './router/location.ts';
import { matchPath, type RouteParams } from './router/match-route.ts';
import { ROUTES } from './routes.ts';
import { Shell } from './shell/Shell.tsx';

type Page = ComponentType<{ readonly params: RouteParams }>;

const loaded = new Map(
  ROUTES.map(({ load }) => [load, lazy(async () => ({ default: await load() })) as Page] as const),
);
const pages = ROUTES.map(({ path, load }) => ({ path, Page: loaded.get(load)! }));
const NotFoundPage = lazy(async () => ({ default: (await import('./pages/not-found/NotFoundPage.tsx')).NotFoundPage }));

export function App() {
  const preferences = usePreferences();
  useEffect(() => applyTheme(preferences), [preferences]);
  const { path } = useLocation();
  const found = useMemo(() => {
    for (const { path: pattern, Page } of pages) {
      const params = matchPath(pattern, path);
      if (params) return { Page, params };
    }
    return undefined;
  }, [path]);
  return (
    <Shell>
      <FailureBoundary name="This page" key={pages.findIndex(({ Page }) => Page === found?.Page)}>
        <Suspense fallback={null}>{found ? <found.Page params={found.params} /> : <NotFoundPage />}</Suspense>
      </FailureBoundary>
    </Shell>
  );
}
