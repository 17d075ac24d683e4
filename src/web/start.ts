import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { viewer } from './access/generated/viewer.ts';
import { prefetchQuery } from './data/use-query.ts';
import { PAGE_CONFIG } from './page-config.ts';
import { applyTheme } from './preferences/apply-theme.ts';
import { appPath } from './router/app-url.ts';
import { navigate } from './router/location.ts';
import { findPage } from './routes.ts';

// The code and the data of a page load together with React and the frame. The component that needs them reports a failure.
applyTheme();
// The start page uses the range that the user chose last. On other pages, an address without a range means the default.
if (appPath(window.location.pathname) === '/') navigate(`/${window.location.search}`, { replaces: true });
if (PAGE_CONFIG.authenticationEnabled) prefetchQuery(viewer, {});
const { Page, params } = findPage(appPath(window.location.pathname));
Page.prefetch?.(params, new URLSearchParams(window.location.search));
Page.preload(params).catch(() => undefined);
void import('./main.tsx');
