/** Indents JSON without parsing numbers, whose digits must stay. */
export function formatJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let isAfterOpening = false;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const isOpening = token === '{' || token === '[';
    if (token === '}' || token === ']') {
      depth--;
      if (!isAfterOpening) parts.push(line());
    } else if (isAfterOpening) parts.push(line());
    if (isOpening) depth++;
    parts.push(token);
    if (token === ',') parts.push(line());
    if (token === ':') parts.push(' ');
    isAfterOpening = isOpening;
  }
  return parts.join('');
}
