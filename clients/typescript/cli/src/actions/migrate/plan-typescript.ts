import { CODE, COMMENT, javascriptKinds } from './code-kinds.ts';
import { type Edit, type FilePlan, type Finding, findingAt } from './edits.ts';
import { MISSING_TYPESCRIPT_NAMES, typescriptRule } from './rules.ts';

const SPECIFIER = /(['"`])(@arizeai\/phoenix-[\w-]+(?:\/[\w./-]+)?)\1/g;
const NAMED = /\b(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^{}]*)\}\s*from\s*$/;

/** Module names in strings: of imports, `require`, `import()`, mocks, and reporters of test runners. */
export function planTypescript(source: string): FilePlan {
  const kinds = javascriptKinds(source);
  const edits: Edit[] = [];
  const findings: Finding[] = [];
  for (const match of source.matchAll(SPECIFIER)) {
    const [, , specifier = ''] = match;
    // In a longer string or a comment it names a package to people.
    if (kinds[match.index] === COMMENT || (match.index > 0 && kinds[match.index - 1] !== CODE)) continue;
    const rule = typescriptRule(specifier);
    if (!rule) continue;
    if ('reason' in rule) {
      findings.push(findingAt(source, match.index, `${specifier}: ${rule.reason}`));
      continue;
    }
    const start = match.index + 1;
    edits.push({ start, end: start + specifier.length, text: rule.to });
    for (const { name, reason } of missingNames(source.slice(0, match.index), rule.to))
      findings.push(findingAt(source, match.index, `${name} is not in ${rule.to}: ${reason}`));
  }
  return { edits, findings };
}

/** Names of the import that ends before its module. */
function missingNames(before: string, module: string): { readonly name: string; readonly reason: string }[] {
  const missing = MISSING_TYPESCRIPT_NAMES[module] ?? {};
  const [, list = ''] = NAMED.exec(before.slice(-5_000)) ?? [];
  const names = list.split(',').map(
    (part) =>
      part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)[0] ?? '',
  );
  return names.flatMap((name) => {
    const reason = Object.hasOwn(missing, name) ? missing[name] : undefined;
    return reason ? [{ name, reason }] : [];
  });
}
