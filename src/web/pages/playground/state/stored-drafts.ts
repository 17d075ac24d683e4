import { type Draft, isDraft } from './draft.ts';

/** Drafts of this browser, the newest first. Links to other prompts must not replace what a person has written. */
const STORAGE_KEY = 'spandrel.playground.drafts';
/** More drafts, and larger ones, would fill the storage of the browser, which other choices share. */
const DRAFT_COUNT_MAX = 12;
const DRAFTS_CHARS_MAX = 1_500_000;

interface StoredDraft {
  readonly key: string;
  readonly draft: Draft;
}

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem'>;

function readAll(storage: DraftStorage): readonly StoredDraft[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? '[]');
    if (!Array.isArray(value)) return [];
    return (value as readonly Partial<StoredDraft>[]).filter(
      (each): each is StoredDraft => typeof each?.key === 'string' && isDraft(each.draft),
    );
  } catch {
    return [];
  }
}

/** The draft of a link, or the newest one. */
export function readDraft(storage: DraftStorage, key: string | undefined): Draft | undefined {
  const drafts = readAll(storage);
  return (key === undefined ? drafts[0] : drafts.find((each) => each.key === key))?.draft;
}

/** Stores a draft as the newest one. Returns false when this browser does not keep it. */
export function storeDraft(storage: DraftStorage, key: string, draft: Draft): boolean {
  const texts: string[] = [JSON.stringify({ key, draft })];
  let length = texts[0]!.length;
  if (length > DRAFTS_CHARS_MAX) return false;
  for (const each of readAll(storage)) {
    if (each.key === key || texts.length >= DRAFT_COUNT_MAX) continue;
    const text = JSON.stringify(each);
    length += text.length;
    if (length > DRAFTS_CHARS_MAX) break;
    texts.push(text);
  }
  try {
    storage.setItem(STORAGE_KEY, `[${texts.join(',')}]`);
    return true;
  } catch {
    return false;
  }
}
