import { findNode } from '../node/index.ts';
import { readVariable } from '../settings/environment.ts';

/** The commit of the working directory as metadata, from its files: no program is started. Empty when there is none. */
export function findGitSha(): { readonly git_sha?: string } {
  const given = readVariable('GITHUB_SHA') ?? readVariable('CI_COMMIT_SHA');
  if (given) return { git_sha: given };
  const node = findNode();
  if (!node) return {};
  const { fs, path, process } = node;
  const read = (file: string) => fs.readFileSync(file, 'utf8').trim();
  try {
    let folder = process.cwd();
    while (!fs.existsSync(path.join(folder, '.git')) && path.dirname(folder) !== folder) folder = path.dirname(folder);
    const own = path.join(folder, '.git');
    const git = fs.statSync(own).isDirectory() ? own : path.resolve(folder, read(own).replace(/^gitdir: /, ''));
    const head = read(path.join(git, 'HEAD'));
    const name = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
    if (!name) return toSha(head);
    // A worktree has its branches in the folder of the first checkout.
    const shared = path.join(git, 'commondir');
    const common = fs.existsSync(shared) ? path.resolve(git, read(shared)) : git;
    const loose = path.join(common, name);
    if (fs.existsSync(loose)) return toSha(read(loose));
    const line = read(path.join(common, 'packed-refs'))
      .split('\n')
      .find((each) => each.endsWith(` ${name}`));
    return toSha(line?.split(' ')[0] ?? '');
  } catch {
    return {};
  }
}

const toSha = (text: string) => (/^[0-9a-f]{40,64}$/.test(text) ? { git_sha: text } : {});
