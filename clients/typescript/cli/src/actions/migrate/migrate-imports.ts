import { readFileSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Action } from '../../command-line/command.ts';
import { toSafeText } from '../../output/text.ts';
import { applyEdits, type FilePlan, type Finding, toDiff } from './edits.ts';
import { findFiles, isRequirements } from './find-files.ts';
import { planPackageJson, planRequirements } from './plan-manifests.ts';
import { planPython } from './plan-python.ts';
import { planTypescript } from './plan-typescript.ts';

interface ChangedFile {
  readonly path: string;
  readonly changeCount: number;
  readonly diff: string;
}

/**
 * Rewrites imports of the public clients to ours, and lists what it cannot. Without `--write` it changes nothing and prints
 * the changes as a diff, which `git apply` takes.
 */
export const migrateImports: Action = async ({ argument, isSet, out }) => {
  const isWritten = isSet('write');
  const files: ChangedFile[] = [];
  const manual: (Finding & { readonly path: string })[] = [];
  for (const path of findFiles(argument(0) || '.')) {
    const source = readFileSync(path, 'utf8');
    const { edits, findings } = planFile(path, source);
    manual.push(...findings.map((finding) => ({ path, ...finding })));
    if (edits.length === 0) continue;
    const after = applyEdits(source, edits);
    if (isWritten) writeFileSync(path, after);
    files.push({ path, changeCount: edits.length, diff: toDiff(path, source, after) });
  }
  if (!out.isPretty) return out.item({ isWritten, files, manual }, () => '');
  for (const { path, diff } of files)
    await out.line(isWritten ? toSafeText(path) : diff.split('\n').map(toSafeText).join('\n'));
  const changeCount = files.reduce((sum, file) => sum + file.changeCount, 0);
  out.note(summarize(isWritten, changeCount, files.length));
  if (manual.length > 0) out.note('To be looked at by hand:');
  for (const { path, line, text, reason } of manual) out.note(toSafeText(`  ${path}:${line}: ${reason}  [${text}]`));
};

function summarize(isWritten: boolean, changeCount: number, fileCount: number): string {
  if (changeCount === 0) return 'No import of the public clients can be rewritten.';
  const counts = `${changeCount} ${changeCount === 1 ? 'place' : 'places'} in ${fileCount} ${fileCount === 1 ? 'file' : 'files'}`;
  return isWritten
    ? `Rewrote ${counts}. Install the packages, and run your tests. Variables that begin with PHOENIX_ go on working.`
    : `${counts} would be rewritten. --write does it.`;
}

const NOTHING: FilePlan = { edits: [], findings: [] };

function planFile(path: string, source: string): FilePlan {
  const name = basename(path);
  if (!/phoenix/i.test(source)) return NOTHING;
  if (name === 'package.json') return planPackageJson(source);
  if (name === 'pyproject.toml') return planRequirements(source, true);
  if (isRequirements(name)) return planRequirements(source, false);
  const extension = extname(name);
  if (extension === '.ipynb') return planNotebook(source);
  if (extension === '.py') return planPython(source);
  return /^\.[mc]?[jt]sx?$/.test(extension) ? planTypescript(source) : NOTHING;
}

/** Code of notebooks is in strings of JSON, one for each line, so imports keep their form there. */
function planNotebook(source: string): FilePlan {
  const found: { edits: FilePlan['edits'][number][]; findings: Finding[] } = { edits: [], findings: [] };
  for (const match of source.matchAll(/^\s*"((?:from|import) [^"\\]*)(?:\\n)?",?\s*$/gm)) {
    const start = match.index + match[0].indexOf('"') + 1;
    const line = source.slice(0, start).split('\n').length;
    const { edits, findings } = planPython(match[1] ?? '');
    found.edits.push(...edits.map((edit) => ({ ...edit, start: edit.start + start, end: edit.end + start })));
    found.findings.push(...findings.map((finding) => ({ ...finding, line })));
  }
  return found;
}
