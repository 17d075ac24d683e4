import type { Command, Flag } from '../command-line/command.ts';
import { SHELLS } from '../completion/scripts.ts';

const PROFILE = { name: 'name', help: 'name of the profile', completion: 'profiles' } as const;
const HEADER: Flag = { name: 'header', kind: 'list', value: 'name=value', help: 'header of every request' };

export const LOCAL_COMMANDS: readonly Command[] = [
  {
    path: ['auth', 'status'],
    help: 'say which server is used, and who it takes you for',
    fields:
      'endpoint, endpointSource, profile?, credentialSource, expiresAt?, user?, status (authenticated, anonymous, rejected, unverified)',
    load: async () => (await import('../actions/auth.ts')).showStatus,
  },
  {
    path: ['auth', 'login'],
    help: 'sign in with the browser, and store the sign-in in a profile',
    flags: [
      { name: 'no-browser', kind: 'switch', help: 'print the address instead of opening it' },
      { name: 'no-input', kind: 'switch', help: 'the same as --no-browser' },
    ],
    fields: 'profile, endpoint, user, status',
    examples: ['spandrel auth login --endpoint https://traces.example.com --profile work'],
    load: async () => (await import('../actions/auth.ts')).login,
  },
  {
    path: ['auth', 'logout'],
    help: 'end the sign-in of a profile',
    fields: 'profile, isRevoked, status',
    load: async () => (await import('../actions/auth.ts')).logout,
  },
  {
    path: ['profile', 'list'],
    help: 'list the profiles',
    fields: '[name, isActive, endpoint, project, credential, headers[]]',
    load: async () => (await import('../actions/profiles.ts')).listProfiles,
  },
  {
    path: ['profile', 'show'],
    help: 'show a profile, by default the active one, without its secrets',
    arguments: [{ ...PROFILE, isOptional: true }],
    fields: 'name, isActive, endpoint, project, credential, headers[]',
    load: async () => (await import('../actions/profiles.ts')).showProfile,
  },
  {
    path: ['profile', 'create'],
    help: 'create a profile from --endpoint, --project, --api-key and --header',
    arguments: [{ name: 'name', help: 'name of the new profile' }],
    flags: [HEADER, { name: 'activate', kind: 'switch', help: 'use it from now on' }],
    isProjectScoped: true,
    fields: 'name, isActive, endpoint, project, credential, headers[]',
    notes: 'The first profile is active at once.',
    examples: ['spandrel profile create work --endpoint https://traces.example.com --project my-app --activate'],
    load: async () => (await import('../actions/profiles.ts')).createProfile,
  },
  {
    path: ['profile', 'edit'],
    help: 'change a profile; without flags, open the file in $EDITOR',
    arguments: [PROFILE],
    flags: [HEADER],
    isProjectScoped: true,
    fields: 'name, changed[]',
    load: async () => (await import('../actions/profiles.ts')).editProfile,
  },
  {
    path: ['profile', 'use'],
    help: 'use a profile from now on',
    arguments: [PROFILE],
    fields: 'activeProfile',
    load: async () => (await import('../actions/profiles.ts')).useProfile,
  },
  {
    path: ['profile', 'delete'],
    help: 'delete a profile; nothing changes on the server',
    arguments: [PROFILE],
    fields: 'deleted, name',
    load: async () => (await import('../actions/profiles.ts')).deleteProfile,
  },
  {
    path: ['migrate-imports'],
    help: 'rewrite imports of the public Phoenix clients (TypeScript, JavaScript, Python) to those of Spandrel',
    arguments: [
      { name: 'path', help: 'file or folder; otherwise the working directory', isOptional: true, completion: 'files' },
    ],
    flags: [{ name: 'write', kind: 'switch', help: 'change the files; without it, print the changes as a diff' }],
    fields: 'isWritten, files[path, changeCount, diff], manual[path, line, text, reason]',
    notes:
      'Also rewrites package.json, pyproject.toml and requirements files. What it cannot rewrite is listed with its line.\nSpans, settings and data stay as they are: variables that begin with PHOENIX_ go on working.',
    examples: ['spandrel migrate-imports src | git apply', 'spandrel migrate-imports --write'],
    load: async () => (await import('../actions/migrate/migrate-imports.ts')).migrateImports,
  },
  {
    path: ['completion'],
    help: 'print the completion script of a shell',
    arguments: [{ name: 'shell', help: SHELLS.join(', '), choices: SHELLS }],
    notes:
      'bash:        spandrel completion bash > ~/.local/share/bash-completion/completions/spandrel\nzsh:         spandrel completion zsh > "$HOME/.zfunc/_spandrel", in a folder of $fpath\nfish:        spandrel completion fish > ~/.config/fish/completions/spandrel.fish\nPowerShell:  spandrel completion powershell | Out-String | Invoke-Expression',
    load: async () => (await import('../actions/completion.ts')).printCompletion,
  },
];
