import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { FailureBoundary } from './components/Failure.tsx';
import { applyTheme } from './preferences/apply-theme.ts';
import { appPath } from './router/app-url.ts';
import { findPage } from './routes.ts';

applyTheme();
// The page's code is asked for before anything is drawn; should it not come, the page says so itself.
const { Page, params } = findPage(appPath(window.location.pathname));
Page.preload(params).catch(() => undefined);
createRoot(document.getElementById('root')!).render(
  <FailureBoundary name="The interface">
    <App />
  </FailureBoundary>,
);
