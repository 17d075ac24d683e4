import type { ReactNode } from 'react';
import './values.css';

/**
 * Reads the common part of markdown into elements: paragraphs, headings, lists, quotes, tables, code, emphasis, links.
 * HTML in it stays text, and an image stays its address, since a page must load nothing from elsewhere.
 */
export function Markdown({ text }: { readonly text: string }) {
  return <div className="markdown">{toBlocks(text.split(/\r?\n/))}</div>;
}

function toBlocks(lines: readonly string[]): ReactNode[] {
  const blocks: ReactNode[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, length] = readBlock(lines, at);
    if (block !== undefined)
      blocks.push(
        <div key={at} dir="auto">
          {block}
        </div>,
      );
    at += length;
  }
  return blocks;
}

/** A block and how many lines it takes. */
function readBlock(lines: readonly string[], at: number): readonly [ReactNode, number] {
  const line = lines[at]!;
  if (line.trim() === '') return [undefined, 1];
  const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
  if (fence !== undefined) {
    const end = lines.findIndex((each, index) => index > at && each.trim().startsWith(fence));
    const last = end < 0 ? lines.length : end;
    return [<pre key="code">{lines.slice(at + 1, last).join('\n')}</pre>, last - at + 1];
  }
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) return [<h4 key="heading">{inline(heading[2]!)}</h4>, 1];
  if (/^\s*>/.test(line)) {
    const count = countWhile(lines, at, (each) => /^\s*>/.test(each));
    const inner = lines.slice(at, at + count).map((each) => each.replace(/^\s*> ?/, ''));
    return [<blockquote key="quote">{inner.join('\n')}</blockquote>, count];
  }
  if (LIST.test(line)) return readList(lines, at);
  if (line.includes('|') && /^\s*\|?[\s:|-]+\|[\s:|-]*$/.test(lines[at + 1] ?? '')) return readTable(lines, at);
  const count = countWhile(
    lines,
    at,
    (each) => each.trim() !== '' && !LIST.test(each) && !/^\s*(```|~~~|#{1,6}\s)/.test(each),
  );
  return [<p key="text">{inline(lines.slice(at, at + Math.max(1, count)).join('\n'))}</p>, Math.max(1, count)];
}

const LIST = /^\s*([-*+]|\d{1,9}[.)])\s+/;

function readList(lines: readonly string[], at: number): readonly [ReactNode, number] {
  const count = countWhile(lines, at, (each) => LIST.test(each) || /^\s{2,}\S/.test(each));
  const items: string[] = [];
  for (const line of lines.slice(at, at + count)) {
    if (LIST.test(line)) items.push(line.replace(LIST, ''));
    else items[items.length - 1] += `\n${line.trim()}`;
  }
  const children = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items of a text have no other key
    <li key={index} dir="auto">
      {inline(item)}
    </li>
  ));
  return [/^\s*\d/.test(lines[at]!) ? <ol key="list">{children}</ol> : <ul key="list">{children}</ul>, count];
}

function readTable(lines: readonly string[], at: number): readonly [ReactNode, number] {
  const count = countWhile(lines, at, (each) => each.includes('|'));
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|');
  const table = (
    <table key="table">
      <thead>
        <tr>
          {cells(lines[at]!).map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cells of a text have no other name
            <th key={index}>{inline(cell.trim())}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.slice(at + 2, at + count).map((line, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text have no other name
          <tr key={row}>
            {cells(line).map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells of a text have no other name
              <td key={index}>{inline(cell.trim())}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return [table, count];
}

function countWhile(lines: readonly string[], at: number, fits: (line: string) => boolean): number {
  let count = 0;
  while (at + count < lines.length && fits(lines[at + count]!)) count += 1;
  return count;
}

const INLINE = /(`+)([^`]+)\1|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) parts.push(text.slice(at, match.index));
    const [whole, , code, strong, strong2, emphasis, label, address] = match;
    const key = match.index;
    if (code !== undefined) parts.push(<code key={key}>{code}</code>);
    else if (strong ?? strong2) parts.push(<strong key={key}>{strong ?? strong2}</strong>);
    else if (emphasis !== undefined) parts.push(<em key={key}>{emphasis}</em>);
    else if (label !== undefined && /^https?:\/\//i.test(address!)) {
      parts.push(
        <a key={key} href={address} target="_blank" rel="noreferrer noopener">
          {label}
        </a>,
      );
    } else parts.push(whole);
    at = match.index + whole.length;
  }
  parts.push(text.slice(at));
  return parts;
}
