import { spawnSync } from 'node:child_process';
import { type Action, type Invocation, UsageError } from '../command-line/command.ts';
import { toFacts } from '../output/table.ts';
import { readVariable } from '../settings/environment.ts';
import {
  checkProfileName,
  findProfile,
  type Profile,
  profilesPath,
  readProfiles,
  saveProfile,
  writeProfiles,
} from '../settings/profiles.ts';

/** Keys of the server have more than 40 characters; the end of a short one would be much of it. */
const TAIL_KEY_LENGTH_MIN = 24;
const toShownKey = (key: string): string => (key.length < TAIL_KEY_LENGTH_MIN ? 'key' : `key …${key.slice(-4)}`);

/** A profile without its secrets. */
const toShown = (name: string, profile: Profile, activeProfile: string | undefined) => ({
  name,
  isActive: name === activeProfile,
  endpoint: profile.endpoint ?? null,
  project: profile.project ?? null,
  credential: profile.tokens ? 'sign-in' : profile.apiKey ? toShownKey(profile.apiKey) : null,
  headers: Object.keys(profile.headers ?? {}),
});

export const listProfiles: Action = async ({ out }) => {
  const { activeProfile, profiles } = readProfiles();
  const shown = [...profiles].map(([name, profile]) => toShown(name, profile, activeProfile));
  await out.list(
    toAsync(shown),
    [
      { title: 'ACTIVE', text: ({ isActive }) => (isActive ? '*' : '') },
      { title: 'NAME', text: ({ name }) => name },
      { title: 'ADDRESS', text: ({ endpoint }) => endpoint },
      { title: 'PROJECT', text: ({ project }) => project },
      { title: 'CREDENTIAL', text: ({ credential }) => credential },
    ],
    'No profiles. spandrel profile create <name> --endpoint <url> makes one.',
  );
};

async function* toAsync<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

export const showProfile: Action = async ({ argument, out }) => {
  const found = findProfile(argument(0) || undefined);
  if (!found) throw new UsageError('No profile is active. spandrel profile list shows them.');
  const shown = toShown(found.name, found.profile, readProfiles().activeProfile);
  await out.item(shown, () =>
    toFacts([
      ['Name', shown.name],
      ['Active', shown.isActive ? 'yes' : 'no'],
      ['Address', shown.endpoint],
      ['Project', shown.project],
      ['Credential', shown.credential],
      ['Headers', shown.headers.join(', ')],
      ['File', profilesPath()],
    ]),
  );
};

/** The fields that flags set. */
function fieldsOf({ settings, list }: Invocation): Profile {
  const headers = Object.fromEntries(list('header').map(toHeader));
  const { endpoint, apiKey, project } = settings;
  if (endpoint !== undefined && !/^https?:\/\/[^\s/]/.test(endpoint)) {
    throw new UsageError(`--endpoint must begin with http:// or https://, received "${endpoint}".`);
  }
  return {
    ...(endpoint !== undefined && { endpoint: endpoint.replace(/\/+$/, '') }),
    ...(apiKey !== undefined && { apiKey }),
    ...(project !== undefined && { project }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

function toHeader(text: string): [string, string] {
  const at = text.indexOf('=');
  if (!/^[\w!#$%&'*+.^`|~-]+=/.test(text)) throw new UsageError('--header must be name=value.');
  return [text.slice(0, at).toLowerCase(), text.slice(at + 1)];
}

export const createProfile: Action = async (invocation) => {
  const { argument, isSet, out } = invocation;
  const name = checkProfileName(argument(0));
  const { activeProfile, profiles } = readProfiles();
  if (profiles.has(name)) throw new UsageError(`Profile ${name} exists. spandrel profile edit ${name} changes it.`);
  const profile = fieldsOf(invocation);
  const active = isSet('activate') || profiles.size === 0 ? name : activeProfile;
  writeProfiles({ activeProfile: active, profiles: new Map(profiles).set(name, profile) });
  await out.item(
    toShown(name, profile, active),
    () => `Created profile ${name}${active === name ? ', which is active now' : ''}.`,
  );
};

export const editProfile: Action = async (invocation) => {
  const { argument, out } = invocation;
  const found = findProfile(argument(0));
  const fields = fieldsOf(invocation);
  if (!found) return;
  if (Object.keys(fields).length === 0) return editFile(invocation);
  const { tokens, ...kept } = found.profile;
  // Tokens belong to the server that issued them.
  const isMoved = fields.endpoint !== undefined && fields.endpoint !== found.profile.endpoint;
  saveProfile(found.name, { ...kept, ...(tokens && !isMoved && !fields.apiKey && { tokens }), ...fields });
  await out.item({ name: found.name, changed: Object.keys(fields) }, () => `Changed profile ${found.name}.`);
};

/** Without flags, the editor opens the file of all profiles. */
function editFile({ out }: Invocation): void {
  const editor = readVariable('VISUAL') ?? readVariable('EDITOR');
  if (!editor || !process.stdin.isTTY) {
    throw new UsageError('Pass what to change: --endpoint, --project, --api-key or --header.');
  }
  const [program = editor, ...args] = editor.split(/\s+/);
  const { error } = spawnSync(program, [...args, profilesPath()], { stdio: 'inherit' });
  if (error) throw new UsageError(`The editor ${program} cannot be started: ${error.message}`);
  readProfiles();
  out.note(`Checked ${profilesPath()}`);
}

export const useProfile: Action = async ({ argument, out }) => {
  const found = findProfile(argument(0));
  if (!found) return;
  writeProfiles({ activeProfile: found.name, profiles: readProfiles().profiles });
  await out.item({ activeProfile: found.name }, () => `Profile ${found.name} is active now.`);
};

export const deleteProfile: Action = async ({ argument, out }) => {
  const found = findProfile(argument(0));
  if (!found) return;
  const { activeProfile, profiles } = readProfiles();
  const left = new Map(profiles);
  left.delete(found.name);
  writeProfiles({ activeProfile: activeProfile === found.name ? undefined : activeProfile, profiles: left });
  await out.item({ deleted: true, name: found.name }, () => `Deleted profile ${found.name}.`);
};
