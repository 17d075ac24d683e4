import { createHash } from 'node:crypto';
import { escapeHtml } from '../../base/escape-html.ts';
import type { HttpResponse } from '../route.ts';

/** A page that loads no other files. */
export interface HtmlPage {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** Markup. Values from outside must have been escaped with `escapeHtml`. */
  readonly body: string;
}

/** The page with a content policy that allows only this style and this script. */
export function htmlResponse({ title, style, script, body }: HtmlPage): HttpResponse {
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    `script-src ${hashSource(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-cache',
    },
    body:
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">' +
      `<title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}<script>${script}</script></body></html>`,
  };
}

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
