import { useEffect, useMemo, useState } from 'react';
import { FailureBoundary } from './components/Failure.tsx';
import { FailureGroup, FailureGroupContext } from './components/failure-group.ts';
import { applyTheme } from './preferences/apply-theme.ts';
import { usePreferences } from './preferences/preferences.ts';
import { useLocation } from './router/location.ts';
import { findPage } from './routes.ts';
import { Shell } from './shell/Shell.tsx';

export function App() {
  const preferences = usePreferences();
  useEffect(() => applyTheme(preferences), [preferences]);
  const { path } = useLocation();
  const { Page, params, key } = useMemo(() => findPage(path), [path]);
  const [failures] = useState(() => new FailureGroup());
  return (
    <Shell>
      <FailureGroupContext value={failures}>
        <FailureBoundary name="This page" key={key}>
          <Page params={params} />
        </FailureBoundary>
      </FailureGroupContext>
    </Shell>
  );
}
