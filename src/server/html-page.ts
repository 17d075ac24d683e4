import { createHash } from 'node:crypto';
import type { HttpResponse } from './route.ts';

/** A page that needs nothing but itself. */
export interface HtmlPage {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** Whether the script may ask this server, and nobody else. */
  readonly asksServer?: boolean;
  /** Markup; whatever came from elsewhere has been through `escapeHtml`. */
  readonly body: string;
}

/** The page, under a policy that lets this style and this script run and nothing else happen. */
export function htmlResponse({ title, style, script, asksServer, body }: HtmlPage): HttpResponse {
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    `script-src ${hashSource(script)}`,
    ...(asksServer ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
    body:
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">' +
      `<title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}<script>${script}</script></body></html>`,
  };
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES.get(sign)!);

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }),
);

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
