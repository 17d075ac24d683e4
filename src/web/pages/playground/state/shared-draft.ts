import { type Draft, isDraft } from './draft.ts';

/** Longer links are cut off by mail programs and chats. */
const LINK_CHARS_MAX = 30_000;
/** A short link can expand to any size, so the rest is not read. */
const DRAFT_BYTES_MAX = 1_500_000;
const NAME = 'draft';

/**
 * Path of a link that carries the draft behind its `#`, which browsers send to no server. Undefined if the draft is too long.
 *
 * @param id Distinguishes the link from others in the browser that opens it.
 */
export async function toSharedPath(draft: Draft, id: string): Promise<string | undefined> {
  const packed = new Blob([JSON.stringify(withoutAddresses(draft))])
    .stream()
    .pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  if (bytes.length > LINK_CHARS_MAX) return undefined;
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const path = `/playground?${new URLSearchParams({ shared: id })}#${NAME}=${text}`;
  return path.length > LINK_CHARS_MAX ? undefined : path;
}

/** The draft behind the `#` of a link. Undefined for a link that was cut off or changed. */
export async function readSharedDraft(hash: string): Promise<Draft | undefined> {
  const text = new URLSearchParams(hash.replace(/^#/, '')).get(NAME);
  if (text === null || text.length > LINK_CHARS_MAX) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let [json, byteCount] = ['', 0];
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      byteCount += value.length;
      if (byteCount > DRAFT_BYTES_MAX) {
        await reader.cancel();
        return undefined;
      }
      json += decoder.decode(value, { stream: true });
    }
    const draft: unknown = JSON.parse(json + decoder.decode());
    return isDraft(draft) ? withoutAddresses(draft) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The draft with the vendors' own addresses. A key of the browser goes to the address of its variant, so a link of another user must not
 * choose it.
 */
const withoutAddresses = (draft: Draft): Draft => ({
  ...draft,
  variants: draft.variants.map((variant) => ({ ...variant, model: { ...variant.model, connection: {} } })),
});
