import { type Edit, type FilePlan, type Finding, findingAt } from './edits.ts';
import { NPM_PACKAGES, PYTHON_PACKAGES } from './rules.ts';

/** A line `"name": "version"` of package.json. Lines stay lines, so order and layout of the file stay. */
export function planPackageJson(source: string): FilePlan {
  const edits: Edit[] = [];
  const findings: Finding[] = [];
  for (const match of source.matchAll(/"(@arizeai\/phoenix-[\w-]+)"(\s*:\s*)"([^"\n]*)"/g)) {
    const [text, name = '', colon = ''] = match;
    const target = Object.hasOwn(NPM_PACKAGES, name) ? NPM_PACKAGES[name] : undefined;
    if (!target) findings.push(findingAt(source, match.index, `${name} has no counterpart`));
    else if (source.includes(`"${target.name}"`))
      findings.push(findingAt(source, match.index, `${target.name} is there already: remove ${name} by hand`));
    else
      edits.push({
        start: match.index,
        end: match.index + text.length,
        text: `"${target.name}"${colon}"${target.version}"`,
      });
  }
  return { edits, findings };
}

/** Requirements in requirements files and in texts of pyproject.toml. Versions are dropped, because they are of other packages. */
export function planRequirements(source: string, isToml: boolean): FilePlan {
  const edits: Edit[] = [];
  const findings: Finding[] = [];
  const name = '(arize[-_.]phoenix(?:[-_.](?:client|otel|evals))?)';
  const rest = '[ \\t]*(?:\\[([^\\]\\n]*)\\])?[ \\t]*((?:[=<>!~]=?=?[ \\t]*[\\w.*+!-]+[ \\t]*,?[ \\t]*)*)';
  const pattern = isToml
    ? new RegExp(`(["'])${name}${rest}`, 'gi')
    : new RegExp(`^([ \\t]*)${name}(?![\\w-])${rest}`, 'gim');
  for (const match of source.matchAll(pattern)) {
    const [text, before = '', distribution = '', extras = ''] = match;
    const next = source[match.index + text.length] ?? '\n';
    // The name of a longer distribution, or something that is no requirement.
    if (!/[\s"';#@]/.test(next)) continue;
    const key = distribution.toLowerCase().replace(/[_.]/g, '-');
    const target = Object.hasOwn(PYTHON_PACKAGES, key) ? PYTHON_PACKAGES[key] : undefined;
    if (!target) continue;
    if ('reason' in target) {
      findings.push(findingAt(source, match.index + before.length, `${key}: ${target.reason}`));
      continue;
    }
    const kept = extras
      .split(',')
      .map((extra) => extra.trim())
      .filter((extra) => ['pytest', 'pandas'].includes(extra));
    const all = [...(target.extra ? [target.extra] : []), ...kept];
    const end = match.index + text.trimEnd().length;
    edits.push({
      start: match.index + before.length,
      end,
      text: `${target.name}${all.length > 0 ? `[${all.join(',')}]` : ''}`,
    });
  }
  return { edits, findings };
}
