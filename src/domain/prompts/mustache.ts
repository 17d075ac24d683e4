import { type ExactJson, ExactNumber } from '../../base/exact-json.ts';
import { mustacheTags } from '../../semconv/template-tags.ts';
import { TEMPLATE_DEPTH_MAX } from '../../model/limits/datasets.ts';
import { type Rendering, rejectTemplate } from './rendering.ts';
import { valueAt } from './value-at.ts';

/**
 * Mustache without HTML escaping, partials and other delimiters: `{{name}}`, `{{a.b}}`, `{{.}}`, `{{#list}}…{{/list}}`,
 * `{{^list}}…{{/list}}`, `{{! comment}}`. A variable must exist, unless it belongs to an item of a list or is the name
 * of an inverted section.
 *
 * https://mustache.github.io/mustache.5.html
 */
export function renderMustache(text: string, rendering: Rendering): string {
  return renderNodes(parseMustache(text), [rendering.variables], rendering);
}

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'section' | 'inverted'; readonly name: string; readonly nodes: Node[] };

/** A tag of a section or a comment that is alone on its line removes that line. */
const OWN_LINE = /^[ \t]*(\{\{\s*[#^/!][^{}]*\}\})[ \t]*(?:\r?\n|$)/gm;

/** @throws {SpandrelError} `PROMPT_INVALID` when a tag has no name, or sections do not fit together */
export function parseMustache(template: string): Node[] {
  const text = template.replace(OWN_LINE, '$1');
  const root: Node[] = [];
  const open: { readonly name: string; readonly nodes: Node[] }[] = [];
  let nodes = root;
  let from = 0;
  for (const { kind, name, start, end } of mustacheTags(text)) {
    if (start > from) nodes.push({ kind: 'text', text: text.slice(from, start) });
    from = end;
    if (kind === 'comment') continue;
    if (kind === 'invalid') rejectTemplate(`A tag has no name: ${text.slice(start, end).slice(0, 100)}`);
    if (kind === 'section' || kind === 'inverted') {
      if (open.length >= TEMPLATE_DEPTH_MAX) rejectTemplate('Sections are nested too deeply');
      const section = { kind, name, nodes: [] as Node[] } as const;
      nodes.push(section);
      open.push({ name, nodes });
      nodes = section.nodes;
    } else if (kind === 'end') {
      const closed = open.pop();
      if (closed?.name !== name) return rejectTemplate(`The section '${name}' is closed but not open`);
      nodes = closed.nodes;
    } else nodes.push({ kind: 'variable', name });
  }
  const unclosed = open.at(-1);
  if (unclosed) rejectTemplate(`The section '${unclosed.name}' is not closed`);
  if (from < text.length) nodes.push({ kind: 'text', text: text.slice(from) });
  return root;
}

/** `scopes`: the variables, then the items of the enclosing sections, the innermost last. */
function renderNodes(nodes: readonly Node[], scopes: readonly ExactJson[], rendering: Rendering): string {
  let text = '';
  for (const node of nodes) {
    if (node.kind === 'text') text += rendering.count(node.text);
    else if (node.kind === 'variable') {
      const value = find(node.name, scopes);
      if (value !== undefined) text += rendering.print(value);
      else if (!isInsideItem(scopes)) rendering.miss(node.name);
    } else {
      const value = find(node.name, scopes);
      if (value === undefined && node.kind === 'section' && !isInsideItem(scopes)) rendering.miss(node.name);
      const items = itemsOf(value);
      if (node.kind === 'inverted') {
        if (items.length === 0) text += renderNodes(node.nodes, scopes, rendering);
      } else for (const item of items) text += renderNodes(node.nodes, [...scopes, item], rendering);
      rendering.count('');
    }
  }
  return text;
}

/** The innermost scope that has the first part of the name decides. */
function find(name: string, scopes: readonly ExactJson[]): ExactJson | undefined {
  if (name === '.') return scopes.at(-1);
  const [head = '', ...rest] = name.split('.');
  for (let at = scopes.length - 1; at >= 0; at--) {
    const value = valueAt(scopes[at], [head]);
    if (value !== undefined) return valueAt(value, rest);
  }
  return undefined;
}

/** The scopes with which a section is rendered, once each. */
function itemsOf(value: ExactJson | undefined): readonly ExactJson[] {
  if (Array.isArray(value)) return value;
  const isNothing = value === undefined || value === null || value === false || value === '';
  return isNothing || ((typeof value === 'number' || value instanceof ExactNumber) && Number(value) === 0)
    ? []
    : [value];
}

const isInsideItem = (scopes: readonly ExactJson[]): boolean =>
  scopes.slice(1).some((scope) => typeof scope === 'object' && scope !== null);
