import type { PageConfig } from '../page-config.ts';
import { appUrl } from '../router/app-url.ts';
import { element } from './dom.ts';
import { type Field, form } from './form.ts';
import { post, SignInProblem } from './post.ts';
import { withReturn } from './return-path.ts';
import { findViewer, sendDocument } from './session-request.ts';

export interface Page {
  readonly title: string;
  readonly body: readonly (HTMLElement | false)[];
}

const NEW_PASSWORD: readonly Field[] = [
  { name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password' },
  { name: 'confirmation', label: 'Confirm new password', type: 'password', autocomplete: 'new-password' },
];

export const paragraph = (...parts: readonly (Node | string)[]): HTMLElement =>
  element('p', { class: 'muted' }, ...parts);

export const signInLink = (text: string): HTMLElement => element('a', { href: appUrl('login') }, text);

function checkConfirmation({ password, confirmation }: Readonly<Record<string, string>>): void {
  if (password !== confirmation) throw new SignInProblem(422, 'The two new passwords differ.');
}

const passwordChanged = (returnTo: string) =>
  window.location.assign(appUrl(withReturn('login?message=password_reset', returnTo)));

/** Asks for the link of a reset. The response is the same for every email, so that it reveals no account. */
export function lostPasswordPage({ passwordResetEmailEnabled, basicAuthDisabled }: PageConfig): Page {
  const title = 'Reset a lost password';
  if (!passwordResetEmailEnabled || basicAuthDisabled) {
    return {
      title,
      body: [
        paragraph('This server cannot send emails for lost passwords. Ask an administrator to set a new password.'),
        signInLink('Back to sign in'),
      ],
    };
  }
  const request = form({
    label: title,
    fields: [{ name: 'email', label: 'Email', type: 'email', autocomplete: 'username' }],
    action: 'Send link',
    busy: 'Sending…',
    async submit({ email }) {
      await post('auth/password-reset-email', { email });
      const sent = element(
        'p',
        { role: 'status', tabindex: '-1' },
        'If an account has this email, a link to set a new password is on its way. The link is valid for a short time.',
      );
      request.replaceWith(sent);
      sent.focus();
    },
  });
  return {
    title,
    body: [
      paragraph('Enter the email of your account. You receive a link to set a new password.'),
      request,
      signInLink('Back to sign in'),
    ],
  };
}

/** Sets a password with the token of a mail. */
export function tokenResetPage(search: string): Page {
  const token = new URLSearchParams(search).get('token') ?? '';
  const title = 'Set a new password';
  const expired = 'The link is invalid, was already used or has expired. Request another one.';
  const again = element('a', { href: appUrl('forgot-password') }, 'Request another link');
  if (token === '') return { title, body: [element('p', { class: 'error-text', role: 'alert' }, expired), again] };
  return {
    title,
    body: [
      form({
        label: title,
        fields: NEW_PASSWORD,
        action: 'Set password',
        busy: 'Saving…',
        async submit(values) {
          checkConfirmation(values);
          await post('auth/password-reset', { token, password: values.password }, { 401: expired });
          passwordChanged('/');
        },
      }),
      again,
    ],
  };
}

/** Replaces a password that an administrator has set, before any other page opens. */
export async function forcedResetPage(returnTo: string): Promise<Page> {
  const viewer = await findViewer();
  const title = 'Choose a new password';
  if (!viewer?.passwordNeedsReset) {
    const target = viewer ? returnTo : withReturn('login', returnTo);
    window.location.replace(appUrl(target));
    return { title, body: [] };
  }
  return {
    title,
    body: [
      paragraph(
        `An administrator has set the password of ${viewer.email ?? viewer.username}. Choose your own to continue.`,
      ),
      form({
        label: title,
        fields: [
          { name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password' },
          ...NEW_PASSWORD,
        ],
        action: 'Change password',
        busy: 'Saving…',
        async submit(values) {
          checkConfirmation(values);
          if (values.password === values.current) {
            throw new SignInProblem(422, 'The new password must differ from the current one.');
          }
          await sendDocument('mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { __typename } }', {
            input: { newPassword: values.password, currentPassword: values.current },
          });
          passwordChanged(returnTo);
        },
      }),
      element('a', { href: appUrl('auth/logout') }, 'Sign out'),
    ],
  };
}
