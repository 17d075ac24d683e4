/** Type and content of `data:image/png;base64,…`; undefined for other addresses. */
export function parseDataUrl(url: string): { readonly mediaType: string; readonly base64: string } | undefined {
  // Not a pattern over the content, which may have megabytes.
  const comma = url.indexOf(',');
  const head = comma < 0 ? '' : url.slice(0, comma);
  const [, mediaType] = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64$/.exec(head) ?? [];
  return mediaType === undefined ? undefined : { mediaType, base64: url.slice(comma + 1) };
}
