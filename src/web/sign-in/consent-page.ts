import { appUrl } from '../router/app-url.ts';
import { element } from './dom.ts';
import { type Page, paragraph } from './password-pages.ts';
import { post, SignInProblem } from './post.ts';
import { withReturn } from './return-path.ts';
import { findViewer } from './session-request.ts';

/** What the server says about a request of an app. `src/api/auth/consent-routes.ts` writes it. */
interface Consent {
  readonly client: { readonly id: string; readonly name: string; readonly isFirstParty: boolean };
  readonly target: { readonly kind: 'loopback' | 'scheme' | 'https'; readonly host: string };
  readonly user: { readonly username: string; readonly email: string | null; readonly role: string };
  readonly scopes: readonly string[];
  readonly resource: 'SERVER' | 'MCP';
  readonly days: number;
}

/** Texts for the codes of `?error=`. The page shows nothing that the address contains. */
const ERROR_TEXTS: ReadonlyMap<string, string> = new Map([
  ['invalid_client', 'This server does not know the app that sent you here. Start again from the app.'],
  [
    'invalid_redirect_uri',
    'The app asked to return to an address that it has not registered. Nothing was sent to that address.',
  ],
]);
const OTHER_ERROR = 'The app sent a request that this server does not accept. Ask its developer.';

/** Asks the user whether an app may have access to the account. */
export async function consentPage(search: string): Promise<Page> {
  const parameters = new URLSearchParams(search);
  const request = parameters.get('request');
  if (request === null) return problemPage(ERROR_TEXTS.get(parameters.get('error') ?? '') ?? OTHER_ERROR);
  // A session that has expired is refreshed by this.
  const viewer = await findViewer();
  if (viewer === undefined || viewer.passwordNeedsReset) {
    const returnTo = `/oauth2/consent${search}`;
    window.location.replace(appUrl(withReturn(viewer ? 'reset-password' : 'login', returnTo)));
    return { title: 'Allow access', body: [paragraph('Opening the sign-in page…')] };
  }
  const response = await fetch(appUrl(`oauth2/consent/data?request=${encodeURIComponent(request)}`), {
    signal: AbortSignal.timeout(30_000),
  });
  if (response.status === 400) return problemPage((await response.text()).slice(0, 500));
  if (!response.ok) throw new SignInProblem(response.status, 'The server cannot show the request. Try again.');
  return requestPage((await response.json()) as Consent, request);
}

const problemPage = (text: string): Page => ({
  title: 'No access was given',
  body: [
    element('p', { class: 'sign-in-notice bad', role: 'alert' }, text),
    element('a', { href: appUrl('') }, 'Open Spandrel'),
  ],
});

const ROLES: ReadonlyMap<string, string> = new Map([
  ['ADMIN', 'Everything that you may do as an administrator, such as managing users'],
  ['MEMBER', 'Everything that you may do: read and change all data'],
  ['VIEWER', 'Everything that you may do: read all data'],
]);

function requestPage({ client, target, user, scopes, resource, days }: Consent, request: string): Page {
  const account = user.email === null ? user.username : `${user.username} (${user.email})`;
  const rights = ROLES.get(user.role) ?? 'Everything that you may do';
  const facts: readonly (readonly [string, string])[] = [
    ['It may do', resource === 'MCP' ? `${rights}, over the Model Context Protocol` : rights],
    ['You return to', describeTarget(target)],
    ...(scopes.length > 0 ? ([['It asked for', `${scopes.join(', ')} (this does not limit it)`]] as const) : []),
    ['It ends', `In ${formatDays(days)}, or earlier on your profile page`],
  ];
  return {
    title: 'Allow access?',
    body: [
      element(
        'p',
        { class: 'consent-client' },
        element('strong', {}, client.name),
        ' asks for access to your account ',
        element('strong', {}, account),
        '.',
      ),
      !client.isFirstParty &&
        element(
          'p',
          { class: 'sign-in-notice' },
          'This app chose its name itself. Allow it only if you have just started it and recognize where you return to.',
        ),
      element(
        'dl',
        { class: 'consent-facts' },
        ...facts.flatMap(([term, fact]) => [element('dt', {}, term), element('dd', {}, fact)]),
      ),
      decisionButtons(request),
      element('a', { href: appUrl('auth/logout'), class: 'sign-in-aside' }, 'Sign out and use another account'),
    ],
  };
}

function describeTarget({ kind, host }: Consent['target']): string {
  switch (kind) {
    case 'https':
      return host;
    case 'loopback':
      return `An app on this device (${host})`;
    case 'scheme':
      return `The app on this device that opens ${host}: links`;
  }
}

const formatDays = (days: number): string =>
  days < 1 ? 'less than a day' : `${Math.round(days)} ${Math.round(days) === 1 ? 'day' : 'days'}`;

function decisionButtons(request: string): HTMLElement {
  const problem = element('p', { class: 'error-text', role: 'alert' });
  const buttons = [
    element('button', { type: 'button', class: 'button primary' }, 'Allow access'),
    element('button', { type: 'button', class: 'button' }, 'Deny'),
  ] as const;
  const [allow, deny] = buttons;
  const decide = async (decision: 'approve' | 'deny') => {
    for (const button of buttons) button.disabled = true;
    problem.textContent = '';
    try {
      const response = await post('oauth2/authorize/decision', { request, decision });
      const { redirect_to } = (await response.json()) as { readonly redirect_to: string };
      window.location.assign(redirect_to);
      // An app on this device opens beside the page, which stays.
      const text = decision === 'approve' ? 'Access allowed.' : 'Access denied.';
      const done = element(
        'p',
        { role: 'status', tabindex: '-1' },
        `${text} Return to the app. You can close this page.`,
      );
      group.replaceWith(done);
      done.focus();
    } catch (error) {
      for (const button of buttons) button.disabled = false;
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  allow.addEventListener('click', () => void decide('approve'));
  deny.addEventListener('click', () => void decide('deny'));
  const group = element('div', { class: 'consent-decision' }, problem, ...buttons);
  return group;
}
