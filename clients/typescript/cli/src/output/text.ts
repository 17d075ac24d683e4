/** Characters that move the cursor, change colours or the direction of text. Names and attributes come from anyone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of the server for a terminal, with line breaks. */
export const toSafeText = (text: string): string => text.replace(/\r\n/g, '\n').replace(CONTROLS, '\ufffd');

/** Text of the server in one line of at most this length. */
export function toLine(text: string, lengthMax: number): string {
  // More than the limit several times over is not looked at.
  const line = toSafeText(text.slice(0, lengthMax * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > lengthMax ? `${line.slice(0, Math.max(1, lengthMax - 1))}…` : line;
}

/** `1.2 s`, `340 ms`. */
export function toDuration(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 1) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** `3.4 kB`, `120.5 MB`. */
export function toByteText(byteCount: number): string {
  if (byteCount < 1_000) return `${byteCount} B`;
  return byteCount < 1e6 ? `${(byteCount / 1_000).toFixed(1)} kB` : `${(byteCount / 1e6).toFixed(1)} MB`;
}

/** `$0.0012`. Empty when nothing is known. */
export function toMoney(cost: number | null | undefined): string {
  if (cost === null || cost === undefined || cost === 0) return '';
  return cost >= 0.01 ? `$${cost.toFixed(2)}` : `$${cost.toPrecision(2)}`;
}

/** Local time to the second. The text itself when it is no time. */
export function toTime(iso: string | null | undefined): string {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return iso ?? '';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
