#!/usr/bin/env node
// Lists the texts that users and operators read, with file and line, so that someone can read them from top to bottom:
// texts of the web interface, log messages, error messages and what the command line prints.
//
//   node scripts/list-strings.mjs                    lists all texts of src
//   node scripts/list-strings.mjs src/web src/cli    lists those of some folders or files
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAst } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** JSX attributes and object properties whose value is shown as it is, even if it is a single word. */
const SHOWN = new Set(
  'alt aria-description aria-label aria-roledescription ariaLabel description empty emptyText heading help hint label message note placeholder summary text title tooltip unit'.split(
    ' ',
  ),
);
/** JSX attributes that hold names for the program. */
const INTERNAL = new Set('as className d href id key name rel role src style target type viewBox'.split(' '));

const LOG_LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const PROSE = /\p{L}{2,}[,:;.…)]*\s+["'`(]?(\p{Ll}+|\{…\}|\d+)/u;
const SQL =
  /^\s*\(?(SELECT|INSERT|UPDATE|DELETE FROM|CREATE|ALTER|DROP|WITH|COPY|FROM|JOIN|LEFT|WHERE|AND|OR|ORDER|GROUP|CASE|SET|VALUES|CHECKPOINT)\b|^(create|alter|drop) (unique |table|index)|\b(IS (NOT )?NULL|SELECT|BETWEEN|coalesce|count\(|IN \()|\bAS \w|::[A-Z]|\w+ as \w+$/;

/**
 * Texts of one source file in the order of their lines.
 *
 * @returns {{ line: number, kind: 'ui' | 'log' | 'error' | 'text', text: string }[]}
 */
export function listStrings(source, path) {
  const found = [];
  const isWeb = path.split(sep).join('/').includes('src/web/');
  const add = (node, kind, text) => {
    const line = text.replace(/\s+/g, ' ').trim();
    if (/\p{L}/u.test(line)) found.push({ start: node.start, kind, text: line });
  };
  visit(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path), { kind: 'text', isShown: false });
  found.sort((a, b) => a.start - b.start);
  let line = 1;
  let at = 0;
  return found.map(({ start, kind, text }) => {
    for (; at < start; at += 1) if (source[at] === '\n') line += 1;
    return { line, kind, text };
  });

  /** `context` says where a text is: its kind, and whether it is shown for certain. */
  function visit(node, context) {
    if (Array.isArray(node)) {
      for (const each of node) visit(each, context);
      return;
    }
    if (typeof node?.type !== 'string') return;
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
      case 'TSLiteralType':
      case 'TaggedTemplateExpression':
        return;
      case 'JSXElement':
      case 'JSXFragment':
        addSentence(node);
        for (const attribute of node.openingElement?.attributes ?? []) visit(attribute, context);
        for (const child of node.children) {
          const isInSentence = child.type === 'JSXText' || isText(child.expression);
          if (!isInSentence) visit(child, { ...context, kind: 'ui', isShown: true });
        }
        return;
      case 'JSXAttribute': {
        const { name } = node.name;
        if (INTERNAL.has(name)) return;
        visit(node.value, { ...context, kind: 'ui', isShown: SHOWN.has(name) });
        return;
      }
      case 'Property': {
        const name = node.key.name ?? node.key.value;
        if (node.key.type === 'Literal' && !SHOWN.has(name)) visit(node.key, { ...context, isShown: false });
        visit(node.value, { ...context, isShown: isWeb && SHOWN.has(name) });
        return;
      }
      case 'ConditionalExpression':
        visit(node.test, { ...context, isShown: false });
        visit([node.consequent, node.alternate], context);
        return;
      case 'BinaryExpression':
        visit([node.left, node.right], { ...context, isShown: false });
        return;
      case 'CallExpression':
      case 'NewExpression': {
        visit(node.callee, { ...context, isShown: false });
        visit(node.arguments, { ...context, kind: kindOfCall(node) ?? context.kind, isShown: false });
        return;
      }
      case 'Literal':
      case 'TemplateLiteral': {
        if (isText(node)) addText(node, context);
        if (node.type === 'TemplateLiteral') visit(node.expressions, { ...context, isShown: false });
        return;
      }
    }
    for (const [name, child] of Object.entries(node)) {
      if (typeof child === 'object' && !name.startsWith('type')) visit(child, context);
    }
  }

  function addText(node, { kind, isShown }) {
    const text = textOf(node);
    const isProse = PROSE.test(text) && !SQL.test(text);
    if (isProse || isShown || kind === 'log') add(node, isWeb && kind === 'text' ? 'ui' : kind, text);
  }

  /** Text between tags with a mark for each value in it, so that it reads as one sentence. */
  function addSentence({ children }) {
    let text = '';
    let first;
    for (const child of children) {
      if (child.type === 'JSXText' || isText(child.expression)) {
        first ??= child.type === 'JSXText' && child.value.trim() === '' ? undefined : child;
        text += child.type === 'JSXText' ? child.value : textOf(child.expression);
      } else text += '{…}';
    }
    if (/\p{L}/u.test(text) && first) add(first, 'ui', text);
  }
}

const isText = (node) =>
  (node?.type === 'Literal' && typeof node.value === 'string') || node?.type === 'TemplateLiteral';

const textOf = (node) =>
  node.type === 'Literal' ? node.value : node.quasis.map(({ value }) => value.cooked ?? value.raw).join('{…}');

function kindOfCall({ type, callee }) {
  const name = callee.property?.name ?? callee.name ?? '';
  if (callee.type === 'MemberExpression' && LOG_LEVELS.has(name) && isLog(callee.object)) return 'log';
  if (/(Error|Failure|Invalid|Failed)$/.test(name) && (type === 'NewExpression' || /Invalid$/.test(name)))
    return 'error';
  return undefined;
}

const isLog = (node) => /^#?log(ger)?$/i.test(node.property?.name ?? node.name ?? '');

function* sourcesOf(path) {
  if (statSync(path).isFile()) yield path;
  else {
    for (const entry of readdirSync(path).sort()) {
      if (entry !== 'generated') yield* sourcesOf(join(path, entry));
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const paths = process.argv.slice(2);
  for (const path of paths.length > 0 ? paths : ['src']) {
    for (const file of sourcesOf(resolve(ROOT, path))) {
      if (!/\.tsx?$/.test(file)) continue;
      const name = relative(ROOT, file);
      for (const { line, kind, text } of listStrings(readFileSync(file, 'utf8'), name)) {
        console.log(`${name}:${line}\t${kind}\t${text}`);
      }
    }
  }
}
