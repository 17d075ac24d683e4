import { TemplateError } from '../errors.ts';

/** A part of a parsed template. `path` holds the names between dots; empty for `{{.}}`. */
export type MustacheNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly path: readonly string[] }
  | {
      readonly type: 'section';
      readonly path: readonly string[];
      readonly isInverted: boolean;
      readonly nodes: readonly MustacheNode[];
    };

/** Nesting of sections. */
const DEPTH_MAX = 32;
/** A tag with the space around it, when it stands alone on its line: sections and comments then leave no empty line. */
const TAG = /\{\{\{\s*([\s\S]*?)\s*\}\}\}|\{\{([#^/!&>=]?)\s*([\s\S]*?)\s*\}\}/g;

interface OpenSection {
  readonly name: string;
  readonly line: number;
  readonly isInverted: boolean;
  readonly nodes: MustacheNode[];
}

/**
 * Parses a Mustache template: variables, sections, inverted sections and comments. Texts are never escaped for HTML.
 *
 * @throws {TemplateError} for sections that are not closed or not opened, partials, other delimiters and empty tags
 */
export function parseMustache(template: string): readonly MustacheNode[] {
  const root: MustacheNode[] = [];
  const open: OpenSection[] = [];
  let end = 0;
  const nodes = () => open.at(-1)?.nodes ?? root;
  const addText = (text: string) => {
    if (text !== '') nodes().push({ type: 'text', text });
  };
  for (const match of template.matchAll(TAG)) {
    const [tag, tripled, sigil = '', content = ''] = match;
    const isBlock = tripled === undefined && '#^/!'.includes(sigil) && sigil !== '';
    const [start, after] = isBlock
      ? ownLine(template, match.index, tag.length)
      : [match.index, match.index + tag.length];
    addText(template.slice(end, Math.max(end, start)));
    end = Math.max(end, after);
    if (sigil === '!') continue;
    const name = tripled ?? content;
    const line = lineOf(template, match.index);
    if (sigil === '>' || sigil === '=')
      throw new TemplateError(`line ${line}: ${tag} (partials and other delimiters) is not supported.`);
    if (name === '') throw new TemplateError(`line ${line}: a tag needs a name: {{name}}.`);
    if (sigil === '#' || sigil === '^') {
      if (open.length === DEPTH_MAX)
        throw new TemplateError(`line ${line}: more than ${DEPTH_MAX} sections inside each other.`);
      open.push({ name, line, isInverted: sigil === '^', nodes: [] });
    } else if (sigil === '/') {
      const section = open.pop();
      if (section?.name !== name) throw notOpened(name, line, section);
      nodes().push({ type: 'section', path: toPath(name), isInverted: section.isInverted, nodes: section.nodes });
    } else nodes().push({ type: 'variable', path: toPath(name) });
  }
  addText(template.slice(end));
  const unclosed = open.at(-1);
  if (unclosed) {
    throw new TemplateError(
      `line ${unclosed.line}: the section {{#${unclosed.name}}} is never closed; add {{/${unclosed.name}}}.`,
    );
  }
  return root;
}

function notOpened(name: string, line: number, open: OpenSection | undefined): TemplateError {
  const expected = open ? `expected {{/${open.name}}}, which closes line ${open.line}` : 'no section is open';
  return new TemplateError(`line ${line}: {{/${name}}} closes nothing: ${expected}.`);
}

const toPath = (name: string): string[] => (name === '.' ? [] : name.split('.').map((part) => part.trim()));

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** Where a tag starts and ends, with its whole line when nothing else is on it. */
function ownLine(text: string, index: number, length: number): [start: number, end: number] {
  const end = index + length;
  const lineStart = text.lastIndexOf('\n', index - 1) + 1;
  if (text.slice(lineStart, index).trim() !== '') return [index, end];
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end, end + LINE_REST_CHARS_MAX));
  return rest ? [lineStart, end + rest[0].length] : [index, end];
}

const LINE_REST_CHARS_MAX = 200;
