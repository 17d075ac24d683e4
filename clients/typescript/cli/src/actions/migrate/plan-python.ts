import { CODE, pythonKinds } from './code-kinds.ts';
import { type Edit, type FilePlan, type Finding, findingAt } from './edits.ts';
import { pythonRule } from './rules.ts';

const FROM = /^([ \t]*from[ \t]+)(phoenix(?:\.\w+)*)[ \t]+import\b/gm;
const FROM_ROOT =
  /^([ \t]*)from[ \t]+phoenix[ \t]+import[ \t]+(client|otel|evals)(?:[ \t]+as[ \t]+(\w+))?[ \t]*(?=#|;|\r?$)/gm;
const IMPORT = /^([ \t]*import[ \t]+)([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*)/gm;
const REFERENCE = /(?<![\w.])phoenix(?:\.\w+)+/g;

/** Imports of modules, and full names of modules that were imported without an alias. */
export function planPython(source: string): FilePlan {
  const kinds = pythonKinds(source);
  const isCode = (position: number) => kinds[position] === CODE;
  const edits: Edit[] = [];
  const findings: Finding[] = [];
  const rewritten = new Set<number>();
  for (const match of source.matchAll(FROM_ROOT)) {
    const [text, indent = '', name = '', alias = name] = match;
    if (!isCode(match.index + indent.length)) continue;
    const rule = pythonRule(`phoenix.${name}`);
    if (!rule || !('to' in rule)) continue;
    const [module = '', parent] = rule.to.split('.').toReversed();
    const line = parent ? `from ${parent} import ${module}` : `import ${module}`;
    edits.push({ start: match.index, end: match.index + text.trimEnd().length, text: `${indent}${line} as ${alias}` });
    rewritten.add(match.index);
  }
  for (const match of source.matchAll(FROM)) {
    const [, before = '', module = ''] = match;
    const start = match.index + before.length;
    if (rewritten.has(match.index) || !isCode(start)) continue;
    addRule(source, module, start, edits, findings);
  }
  const imported = new Set<string>();
  for (const match of source.matchAll(IMPORT)) {
    const [, before = '', list = ''] = match;
    if (!isCode(match.index + before.length)) continue;
    let offset = match.index + before.length;
    for (const part of list.split(',')) {
      const [module = '', , alias] = part.trim().split(/\s+/);
      const start = offset + part.length - part.trimStart().length;
      offset += part.length + 1;
      const { length } = edits;
      addRule(source, module, start, edits, findings);
      if (edits.length > length && !alias) imported.add(module);
    }
  }
  const inEdits = (position: number) => edits.some(({ start, end }) => position >= start && position < end);
  for (const match of imported.size > 0 ? source.matchAll(REFERENCE) : []) {
    const line = source.slice(source.lastIndexOf('\n', match.index) + 1, match.index);
    if (!isCode(match.index) || inEdits(match.index) || /^\s*(?:from|import)\b/.test(line)) continue;
    // The longest module of which the name is part, such as phoenix.client of phoenix.client.Client.
    const module = [...imported]
      .filter((each) => `${match[0]}.`.startsWith(`${each}.`))
      .sort((a, b) => b.length - a.length)[0];
    const rule = module && pythonRule(module);
    if (rule && 'to' in rule) edits.push({ start: match.index, end: match.index + module.length, text: rule.to });
  }
  return { edits, findings };
}

function addRule(source: string, module: string, start: number, edits: Edit[], findings: Finding[]): void {
  const rule = pythonRule(module);
  if (!rule) return;
  if ('reason' in rule) findings.push(findingAt(source, start, `${module}: ${rule.reason}`));
  else edits.push({ start, end: start + module.length, text: rule.to });
}
