/** A part of a file that becomes another text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Something that a person must look at. */
export interface Finding {
  /** From 1. */
  readonly line: number;
  /** The line as it is. */
  readonly text: string;
  readonly reason: string;
}

/** What is to be done with a file. */
export interface FilePlan {
  readonly edits: readonly Edit[];
  readonly findings: readonly Finding[];
}

const LINE_CHARS_MAX = 200;

/** A finding at a position of a text. */
export function findingAt(source: string, position: number, reason: string): Finding {
  const line = source.slice(0, position).split('\n').length;
  const text = (source.split('\n')[line - 1] ?? '').trim();
  return { line, text: text.length > LINE_CHARS_MAX ? `${text.slice(0, LINE_CHARS_MAX)}…` : text, reason };
}

/** Edits do not overlap. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  let text = '';
  let position = 0;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    text += source.slice(position, start) + replacement;
    position = end;
  }
  return text + source.slice(position);
}

const CONTEXT_LINE_COUNT = 2;
const NO_NEWLINE = '\\ No newline at end of file';

const toLines = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/** A unified diff of two texts with the same number of lines. */
export function toDiff(path: string, before: string, after: string): string {
  const [old, next] = [toLines(before), toLines(after)];
  const isUnended = !before.endsWith('\n');
  const changed = old.flatMap((line, index) => (line === next[index] ? [] : [index]));
  const lines = [`--- a/${path}`, `+++ b/${path}`];
  for (let at = 0; at < changed.length; ) {
    const first = changed[at] as number;
    let last = first;
    while (at + 1 < changed.length && (changed[at + 1] as number) - last <= 2 * CONTEXT_LINE_COUNT)
      last = changed[++at] as number;
    at++;
    const start = Math.max(0, first - CONTEXT_LINE_COUNT);
    const end = Math.min(old.length, last + CONTEXT_LINE_COUNT + 1);
    lines.push(`@@ -${start + 1},${end - start} +${start + 1},${end - start} @@`);
    for (let index = start; index < end; ) {
      if (old[index] === next[index]) {
        lines.push(` ${old[index++]}`);
        if (isUnended && index === old.length) lines.push(NO_NEWLINE);
        continue;
      }
      const from = index;
      while (index < end && old[index] !== next[index]) index++;
      const ending = isUnended && index === old.length ? [NO_NEWLINE] : [];
      lines.push(...old.slice(from, index).map((line) => `-${line}`), ...ending);
      lines.push(...next.slice(from, index).map((line) => `+${line}`), ...ending);
    }
  }
  return lines.join('\n');
}
