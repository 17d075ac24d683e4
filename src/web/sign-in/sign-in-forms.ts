import type { PageConfig } from '../page-config.ts';
import { appUrl } from '../router/app-url.ts';
import { element } from './dom.ts';
import { form } from './form.ts';
import { post } from './post.ts';
import { withReturn } from './return-path.ts';

export interface SignInFormsOptions {
  readonly config: PageConfig;
  /** Path of the interface that an identity provider leads back to. */
  readonly returnTo: string;
  /** Whether identity providers open in another tab, so that this page stays. */
  readonly opensTabs?: boolean;
  readonly onSignedIn: () => Promise<void> | void;
}

/** Every way to sign in that the server has: by password, by the directory, and by each identity provider. */
export function signInForms({ config, returnTo, opensTabs = false, onSignedIn }: SignInFormsOptions): HTMLElement {
  const { basicAuthDisabled, ldapEnabled, passwordResetEmailEnabled, oAuth2Idps } = config;
  const ways: HTMLElement[] = [];
  if (!basicAuthDisabled) {
    ways.push(
      element(
        'div',
        { class: 'sign-in-way' },
        form({
          label: 'Sign in by password',
          fields: [
            { name: 'email', label: 'Email', type: 'email', autocomplete: 'username' },
            { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
          ],
          action: 'Sign in',
          busy: 'Signing in…',
          async submit({ email, password }) {
            await post('auth/login', { email, password }, { 401: 'The email or the password is wrong.' });
            await onSignedIn();
          },
        }),
        passwordResetEmailEnabled &&
          element('a', { href: appUrl('forgot-password'), class: 'sign-in-aside' }, 'Reset a lost password'),
      ),
    );
  }
  if (ldapEnabled) {
    ways.push(
      form({
        label: 'Sign in by directory',
        fields: [
          { name: 'username', label: 'Directory username', type: 'text', autocomplete: 'username' },
          { name: 'password', label: 'Directory password', type: 'password', autocomplete: 'current-password' },
        ],
        action: 'Sign in by directory',
        busy: 'Signing in…',
        isPrimary: basicAuthDisabled,
        async submit({ username, password }) {
          await post('auth/ldap/login', { username, password }, { 401: 'The username or the password is wrong.' });
          await onSignedIn();
        },
      }),
    );
  }
  if (oAuth2Idps.length > 0) ways.push(providerList(oAuth2Idps, returnTo, opensTabs));
  if (ways.length === 0) {
    ways.push(
      element('p', { class: 'muted' }, 'This server has no way to sign in. Ask its operator to configure one.'),
    );
  }
  const parts = ways.flatMap((way, index) =>
    index === 0 ? [way] : [element('p', { class: 'sign-in-or' }, 'or'), way],
  );
  return element('div', { class: 'sign-in-ways' }, ...parts);
}

/** Path that starts the sign-in with an identity provider. */
export const providerPath = (name: string, returnTo: string): string =>
  appUrl(withReturn(`oauth2/${encodeURIComponent(name)}/login`, returnTo));

const providerList = (providers: PageConfig['oAuth2Idps'], returnTo: string, opensTabs: boolean): HTMLElement =>
  element(
    'div',
    { class: 'sign-in-providers' },
    ...providers.map(({ name, displayName }) =>
      element(
        'a',
        { class: 'button', href: providerPath(name, returnTo), target: opensTabs ? '_blank' : undefined },
        `Sign in with ${displayName}`,
      ),
    ),
  );
