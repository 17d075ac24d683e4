import { MODEL_ERROR_CHARS_MAX } from '../../model/limits/model-calls.ts';

const REMOVED = '[removed]';

/** Texts that are credentials by their form: keys of vendors, bearer tokens, passwords of URLs, keys in query strings. */
const CREDENTIALS: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|pk|rk|gsk|xai|pplx|fw|csk|tgp)[-_][A-Za-z0-9_*.-]{6,}/g, REMOVED],
  [/\b(AKIA|ASIA)[A-Z0-9]{12,}/g, REMOVED],
  [/\bAIza[A-Za-z0-9_-]{10,}/g, REMOVED],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_.-]+/g, REMOVED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9+/=_.~-]{6,}/gi, `$1 ${REMOVED}`],
  // Without `\b`, a word of 100,000 letters would be read once for each of its letters.
  [/\b(\w+:\/\/)[^\s/@:]*:[^\s/@]*@/g, `$1${REMOVED}@`],
  [/([?&](?:api[-_]?key|key|token|access_token|sig|signature)=)[^&\s"']+/gi, `$1${REMOVED}`],
  [/((?:x-)?(?:api|goog-api)[-_]key["']?\s*[:=]\s*["']?)[^\s"',}]+/gi, `$1${REMOVED}`],
];

/**
 * A text of a vendor as it may be stored and shown: without the credentials of the call, without texts that look like credentials,
 * without control characters, and of bounded length.
 */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    for (const form of formsOf(secret)) clean = clean.replaceAll(form, REMOVED);
  }
  for (const [pattern, replacement] of CREDENTIALS) clean = clean.replace(pattern, replacement);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  clean = clean.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim();
  return clean.length > MODEL_ERROR_CHARS_MAX ? `${clean.slice(0, MODEL_ERROR_CHARS_MAX - 1)}…` : clean;
}

/** A secret as it may be repeated: as sent, in a URL, in JSON, in base64. */
function formsOf(secret: string): string[] {
  const forms = [secret, percentEncoded(secret), JSON.stringify(secret).slice(1, -1)];
  if (secret.length >= 8) forms.push(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** The URL parser also accepts texts that `encodeURIComponent` rejects. */
const percentEncoded = (text: string): string =>
  new URLSearchParams({ '': text }).toString().slice(1).replaceAll('+', '%20');
