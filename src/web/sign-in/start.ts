import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import './sign-in.css';
import { PAGE_CONFIG } from '../page-config.ts';
import { applyTheme } from '../preferences/apply-theme.ts';
import { appPath, appUrl } from '../router/app-url.ts';
import { noticeOf } from './codes.ts';
import { consentPage } from './consent-page.ts';
import { element } from './dom.ts';
import {
  forcedResetPage,
  lostPasswordPage,
  type Page,
  paragraph,
  signInLink,
  tokenResetPage,
} from './password-pages.ts';
import { isAppPath, returnPath, withReturn } from './return-path.ts';
import { findViewer, type Viewer } from './session-request.ts';
import { providerPath, signInForms } from './sign-in-forms.ts';

// These pages are drawn without React, which alone is larger than the budget of the sign-in page.
applyTheme();
const { pathname, search } = window.location;
const card = document.getElementById('card')!;
void open();

async function open(): Promise<void> {
  try {
    show(await findPage());
  } catch (error) {
    const retry = element('button', { class: 'button', type: 'button' }, 'Try again');
    retry.addEventListener('click', () => void open());
    const text = error instanceof Error ? error.message : String(error);
    show({ title: 'Sign in', body: [element('p', { class: 'error-text', role: 'alert' }, text), retry] });
  }
}

async function findPage(): Promise<Page> {
  if (!PAGE_CONFIG.authenticationEnabled) {
    const link = element('a', { href: appUrl(''), class: 'button primary' }, 'Open Spandrel');
    return { title: 'Sign-in is off', body: [paragraph('This server is open to everyone who can reach it.'), link] };
  }
  switch (appPath(pathname).replace(/(.)\/$/, '$1')) {
    case '/logout':
      return { title: 'You are signed out', body: [notice(), signInLink('Sign in again')] };
    case '/forgot-password':
      return lostPasswordPage(PAGE_CONFIG);
    case '/reset-password':
      return forcedResetPage(returnPath(search));
    case '/reset-password-with-token':
      return tokenResetPage(search);
    case '/oauth2/consent':
      return consentPage(search);
    default:
      return signInPage();
  }
}

async function signInPage(): Promise<Page> {
  const returnTo = returnPath(search);
  const parameters = new URLSearchParams(search);
  const goOn = (viewer: Viewer | undefined) => {
    const next = viewer?.passwordNeedsReset ? withReturn('reset-password', returnTo) : returnTo;
    window.location.replace(appUrl(next));
  };
  const onSignedIn = async () => goOn(await findViewer());
  // Browsers withhold the cookies of a session from a link of another site, and this page is where it leads then.
  const viewer = isAppPath(returnTo) && !parameters.has('message') ? await findViewer() : undefined;
  if (viewer) {
    goOn(viewer);
    return { title: 'Sign in', body: [paragraph('Opening the request of the app…')] };
  }
  const { oAuth2Idps, basicAuthDisabled } = PAGE_CONFIG;
  const chosen =
    oAuth2Idps.find(({ name }) => name === parameters.get('trigger')) ??
    (basicAuthDisabled ? oAuth2Idps.find(({ autoLogin }) => autoLogin) : undefined);
  // After a failure, the user decides about another attempt.
  if (chosen && !parameters.has('error')) {
    window.location.replace(providerPath(chosen.name, returnTo));
    return { title: 'Sign in', body: [paragraph(`Opening ${chosen.displayName}…`)] };
  }
  return { title: 'Sign in', body: [notice(), signInForms({ config: PAGE_CONFIG, returnTo, onSignedIn })] };
}

function notice(): HTMLElement | false {
  const found = noticeOf(search);
  if (found === undefined) return false;
  const { isError, text } = found;
  const state = isError ? { class: 'sign-in-notice bad', role: 'alert' } : { class: 'sign-in-notice', role: 'status' };
  return element('p', state, text);
}

function show({ title, body }: Page): void {
  document.title = `${title} · Spandrel`;
  card.replaceChildren(element('h1', {}, title), ...body.filter((part) => part !== false));
  card.querySelector('input')?.focus();
}
