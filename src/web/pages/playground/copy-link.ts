import { copyWithToast } from '../../components/CopyButton.tsx';
import { newId } from '../../components/prompt/variant/variant.ts';
import { toastFailure } from '../../components/toasts.tsx';
import { appUrl } from '../../router/app-url.ts';
import type { Draft } from './state/draft.ts';
import { toSharedPath } from './state/shared-draft.ts';

/** Copies a link that opens the draft in any browser. */
export async function copyLink(draft: Draft): Promise<void> {
  const path = await toSharedPath(draft, newId());
  if (path === undefined) {
    toastFailure(
      'This content is too long for a link. Save the prompts as versions and the cases as a dataset: their links are short.',
    );
  } else {
    await copyWithToast(
      new URL(appUrl(path), window.location.origin).href,
      'Link copied. It has the prompts, settings and cases, but no keys, addresses and outputs.',
    );
  }
}
