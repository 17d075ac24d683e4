/** Syntax in a text of a template, as the server has found it. Offsets are UTF-16 units. */
export interface TemplateTag {
  readonly messageIndex: number;
  readonly partIndex: number;
  readonly kind: 'VARIABLE' | 'SECTION' | 'INVERTED' | 'END' | 'COMMENT' | 'ESCAPE' | 'INVALID';
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A part of a text: plain, or a tag of the template format. */
export interface DividedText {
  readonly text: string;
  readonly tag: TemplateTag | undefined;
}

/** Divides the first characters of a text at its tags, which are in their order. A tag is never divided. */
export function divideText(text: string, tags: readonly TemplateTag[], charsMax: number): readonly DividedText[] {
  const parts: DividedText[] = [];
  let from = 0;
  const addText = (end: number) => {
    if (end > from) parts.push({ text: text.slice(from, end), tag: undefined });
    from = end;
  };
  for (const tag of tags) {
    if (tag.start >= charsMax) break;
    addText(tag.start);
    parts.push({ text: text.slice(tag.start, tag.end), tag });
    from = tag.end;
  }
  addText(Math.max(from, Math.min(text.length, charsMax)));
  return parts;
}
