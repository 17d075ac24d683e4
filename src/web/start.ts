import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { applyTheme } from './preferences/apply-theme.ts';
import { appPath } from './router/app-url.ts';
import { navigate } from './router/location.ts';
import { findPage } from './routes.ts';

// What a page needs is asked for at once: its code and its data beside React and the frame, not after them. Should
// something not come, whoever wants it then says so.
applyTheme();
// The start page uses the range that the user chose last. On other pages, an address without a range means the default.
if (appPath(window.location.pathname) === '/') navigate(`/${window.location.search}`, { replaces: true });
const { Page, params } = findPage(appPath(window.location.pathname));
Page.askEarly?.(params, new URLSearchParams(window.location.search));
Page.preload(params).catch(() => undefined);
void import('./main.tsx');
