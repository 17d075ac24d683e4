import { diffArrays } from 'diff';

/** A part that both texts have, or that only one of them has. */
export interface TextPart {
  readonly of: 'both' | 'left' | 'right';
  readonly text: string;
}

/** Edits by which two texts may differ. The time of a comparison grows with the square of this number. */
const EDIT_COUNT_MAX = 2_000;

/** Compares two texts by words, by lines if they differ in too many words, and as wholes if they differ in too many lines. */
export function diffTexts(left: string, right: string): readonly TextPart[] {
  for (const split of [words, lines]) {
    const changes = diffArrays(split(left), split(right), { maxEditLength: EDIT_COUNT_MAX });
    if (!changes) continue;
    return changes.map(({ added, removed, value }) => ({
      of: added ? 'right' : removed ? 'left' : 'both',
      text: value.join(''),
    }));
  }
  const wholes: TextPart[] = [
    { of: 'left', text: left },
    { of: 'right', text: right },
  ];
  return wholes.filter(({ text }) => text !== '');
}

const words = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
