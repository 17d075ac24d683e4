import { highlightCode } from './highlight-code.ts';

/** The part of an HTML syntax tree that is read here. */
interface TreeNode {
  readonly type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: TreeNode[];
}

/** Elements whose text may run from right to left. */
const BLOCKS = new Set(['p', 'li', 'td', 'th', 'blockquote']);
const KEPT_PROPERTIES = new Set(['href', 'src', 'alt', 'type', 'checked', 'start']);
const KEPT_CLASSES = new Set(['contains-task-list', 'task-list-item']);

/**
 * Prepares the tree of a Markdown text for a page that shows many of them: highlights code by classes, turns the alignment of
 * table cells into classes, lets `<br>` break lines, and removes ids, which would lead to parts of other texts.
 */
export const rehypePreparedTree = () => (tree: TreeNode) => prepare(tree);

function prepare(node: TreeNode): void {
  if (node.type === 'raw' && /^<br\s*\/?>$/i.test(node.value ?? '')) {
    Object.assign(node, { type: 'element', tagName: 'br', properties: {}, children: [] });
    return;
  }
  // The link from a footnote back to its mark leads nowhere without ids.
  if (node.children)
    node.children = node.children.filter(({ properties }) => !('dataFootnoteBackref' in (properties ?? {})));
  const code = node.tagName === 'pre' ? node.children?.[0] : undefined;
  const language = code && languageOf(code);
  if (node.type === 'element') node.properties = keptProperties(node);
  for (const child of node.children ?? []) prepare(child);
  if (!code || language === undefined) return;
  const highlighted = highlightCode(textOfTree(code), language);
  if (highlighted) code.children = highlighted as TreeNode[];
}

function keptProperties({ tagName = '', properties = {} }: TreeNode): Record<string, unknown> {
  const kept: Record<string, unknown> = Object.fromEntries(
    Object.entries(properties).filter(([name]) => KEPT_PROPERTIES.has(name)),
  );
  if (BLOCKS.has(tagName)) kept.dir = 'auto';
  const classes = classesOf(properties).filter((name) => KEPT_CLASSES.has(name));
  if (typeof properties.align === 'string') classes.push(`align-${properties.align}`);
  if (classes.length > 0) kept.className = classes;
  return kept;
}

const classesOf = (properties: Record<string, unknown> = {}): string[] =>
  Array.isArray(properties.className) ? properties.className.map(String) : [];

const languageOf = ({ properties }: TreeNode): string | undefined =>
  classesOf(properties)
    .find((name) => name.startsWith(LANGUAGE_PREFIX))
    ?.slice(LANGUAGE_PREFIX.length)
    .toLowerCase();
const LANGUAGE_PREFIX = 'language-';

/** All text below a node. */
export function textOfTree(node: unknown): string {
  const { value, children } = node as TreeNode;
  return value ?? children?.map(textOfTree).join('') ?? '';
}
