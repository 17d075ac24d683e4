import { TemplateError } from '../errors.ts';

/** A part of a parsed template with single braces. `path` has the names and indices of `name`. */
export type FStringNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'field'; readonly name: string; readonly path: readonly string[] };

const TOKEN = /\{\{|\}\}|\{([^{}]*)\}/g;
/** What looks like a field: words with dots and indices. `{"a": 1}` and `{3}` are text. */
const NAME = /^(?!\d)[\p{L}\p{N}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+|\[[^[\]]*\])*$/u;
/** Attributes of objects, as Python's formats read them. */
const ATTRIBUTE = /(?:^|[.[])__|^\d+\s*[.[]/;

/**
 * Parses a template as Python's f-strings and `format` have it: `{name}`, `{a.b}`, `{a[0]}`, and doubled braces for single ones.
 * Names are fields of the row; there are no expressions, formats and attributes.
 *
 * @throws {TemplateError} for a name that reaches for attributes
 */
export function parseFString(template: string): readonly FStringNode[] {
  const nodes: FStringNode[] = [];
  let text = '';
  let end = 0;
  for (const match of template.matchAll(TOKEN)) {
    const [token, content] = match;
    text += template.slice(end, match.index);
    end = match.index + token.length;
    const name = content?.trim() ?? '';
    if (content === undefined) text += token.charAt(0);
    else if (ATTRIBUTE.test(name))
      throw new TemplateError(
        `${token.slice(0, 100)} is rejected: a template reads fields of a row, and no attributes.`,
      );
    else if (NAME.test(name)) {
      nodes.push({ type: 'text', text }, { type: 'field', name, path: name.match(/[^.[\]]+/g) ?? [] });
      text = '';
    } else text += token;
  }
  return [...nodes, { type: 'text', text: text + template.slice(end) }];
}
