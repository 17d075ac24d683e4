import { escapeHtml } from '../base/escape-html.ts';
import type { Mail } from './mailer.ts';

type Content = Pick<Mail, 'subject' | 'text' | 'html'>;

/** Longer names are cut, so that a name cannot bring a message of its own. */
const NAME_LENGTH_MAX = 100;
const GIB = 1024 ** 3;

export function welcomeMail(rootUrl: string, username: string): Content {
  return compose('Welcome to Spandrel', username, [
    'An administrator created an account for you on Spandrel.',
    { id: 'welcome-url', url: rootUrl, label: 'Open Spandrel' },
  ]);
}

export function passwordResetMail(rootUrl: string, username: string, token: string): Content {
  return compose('Reset your Spandrel password', username, [
    'Someone requested a password reset for your account on Spandrel. To choose a new password, open this link:',
    {
      id: 'reset-url',
      url: `${rootUrl}/reset-password-with-token?token=${encodeURIComponent(token)}`,
      label: 'Reset the password',
    },
    'The link works once and for a short time. If you did not request it, ignore this mail; your password stays the same.',
  ]);
}

export function lockNoticeMail(
  rootUrl: string,
  username: string,
  { from, lockSeconds }: { readonly from: string | null; readonly lockSeconds: number },
): Content {
  const origin = from === null ? '' : `, the last one from the address ${from}`;
  return compose('Your Spandrel account is locked', username, [
    `Too many attempts to sign in to your account on Spandrel have failed${origin}. The account is locked for ${Math.ceil(lockSeconds / 60)} minutes, also for the right password. Your sessions and keys continue to work.`,
    'If these were not your attempts, another person may be guessing your password. Choose a long one that you use nowhere else, and inform your administrator. You receive this mail at most once a day.',
    { id: 'lock-url', url: rootUrl, label: 'Open Spandrel' },
  ]);
}

export function storageWarningMail(rootUrl: string, usedPercent: number, capacityBytes: number): Content {
  const percent = Math.floor(usedPercent);
  return compose(`Spandrel uses ${percent} % of its storage`, undefined, [
    `Spandrel uses ${percent} % of its capacity of ${formatGibibytes(capacityBytes)} GiB. If usage grows further, writes may be rejected.`,
    'Delete data that you no longer need, shorten the retention of projects, or raise the capacity.',
    { id: 'storage-url', url: rootUrl, label: 'Open Spandrel' },
  ]);
}

interface Link {
  readonly id: string;
  readonly url: string;
  readonly label: string;
}

/** The subject never contains a value from outside. */
function compose(subject: string, username: string | undefined, paragraphs: readonly (string | Link)[]): Content {
  const greeting = username === undefined ? 'Hello,' : `Hello ${toName(username)},`;
  const all = [greeting, ...paragraphs];
  return {
    subject,
    text: `${all.map((part) => (typeof part === 'string' ? part : part.url)).join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body>${all.map(toHtml).join('')}</body></html>`,
  };
}

const toHtml = (part: string | Link): string =>
  typeof part === 'string'
    ? `<p>${escapeHtml(part)}</p>`
    : `<p><a id="${part.id}" href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a></p>`;

/** On one line: a line break in a name would look like a paragraph of ours. */
const toName = (username: string): string =>
  username
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH_MAX);

const formatGibibytes = (bytes: number): string => String(Math.round((bytes / GIB) * 10) / 10);
