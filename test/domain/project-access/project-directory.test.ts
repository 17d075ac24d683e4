import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectPresent } from '../../../src/base/expect-present.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { SignedInCaller } from '../../../src/model/access/caller.ts';
import { type MemberRef, PROJECT_LEVELS, type ProjectLevel } from '../../../src/model/projects/project-member.ts';
import { credentialRepository } from '../../../src/metadata-store/access/credentials.ts';
import { userRepository } from '../../../src/metadata-store/access/users.ts';
import type { Db } from '../../../src/metadata-store/database/database.ts';
import type { MetadataStore } from '../../../src/metadata-store/metadata-store.ts';
import { projectMemberRepository } from '../../../src/metadata-store/projects/project-members.ts';
import { createProject, deleteProject } from '../../../src/metadata-store/projects/projects.ts';
import { type CleanUp, cleanUpAfter, openTestPostgres, openTestStore, until } from '../../metadata-store/fixtures.ts';
import { openCredentials } from '../../../src/domain/access/credentials.ts';
import { ProjectAccess } from '../../../src/domain/project-access/project-access.ts';
import { ProjectDirectory } from '../../../src/domain/project-access/project-directory.ts';
import { openCredentialSync } from '../../../src/jobs/credential-sync.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';

/** The directory of one server, kept up to date as on a server. */
async function openServer(cleanUp: CleanUp, store: MetadataStore) {
  const directory = new ProjectDirectory(projectMemberRepository(store.db));
  const repository = credentialRepository(store.db);
  const credentials = await openCredentials({ repository, projects: directory, log: silentLog });
  const { listen } = store;
  const sync = openCredentialSync({ credentials, repository, listen, isReadOnly: false, log: silentLog });
  cleanUp(() => sync.close());
  return { directory, credentials };
}

const callerOf = (
  rowId: number,
  more: Partial<Pick<SignedInCaller, 'credential' | 'projects'>> & { groups?: readonly string[]; role?: 'ADMIN' } = {},
): SignedInCaller => ({
  ...{ kind: 'signedIn', credential: more.credential ?? 'session', credentialRowId: 1, scope: 'ALL' },
  projects: more.projects ?? null,
  user: {
    ...{ rowId, role: more.role ?? 'MEMBER', username: `user-${rowId}`, email: null },
    groups: more.groups ?? [],
  },
  signal: new AbortController().signal,
});

const newUser = async (db: Db, username: string): Promise<number> => {
  const user = { username, email: `${username}@example.com`, role: 'MEMBER', passwordHash: null } as const;
  return (await userRepository(db).create({ ...user, authMethod: 'OAUTH2' })).rowId;
};

describe('the directory of private projects', () => {
  test('of another server learns that a member was removed', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await (await openTestPostgres(cleanUp)).newDatabase();
    const store = await openTestStore(cleanUp, { url });
    await openServer(cleanUp, store);
    const other = await openServer(cleanUp, await openTestStore(cleanUp, { url, migrate: false }));
    const { db } = store;
    const userRowId = await newUser(db, 'ada');
    const { rowId } = await createProject(db, { name: 'p', isPrivate: true });
    const access = new ProjectAccess(callerOf(userRowId), other.directory);
    const ofGroup = new ProjectAccess(callerOf(999, { groups: ['g'] }), other.directory);
    await until('the project is hidden', () => !access.canRead(rowId));

    await projectMemberRepository(db).set(rowId, { userRowId }, 'READER');
    await projectMemberRepository(db).set(rowId, { group: 'g' }, 'EDITOR');
    await until('the members are known', () => access.canRead(rowId) && ofGroup.levelOf(rowId) === 'EDITOR');
    let changeCount = 0;
    other.directory.onChange(() => changeCount++);
    await projectMemberRepository(db).remove(rowId, { userRowId });
    await until('the member is removed', () => !access.canRead(rowId));
    assert.ok(changeCount > 0, 'streams are told');
    await userRepository(db).delete([userRowId]);
    await projectMemberRepository(db).setPrivate(rowId, false);
    await until('the project is open', () => access.canRead(rowId));
  });

  const FIRST_SEED = Number(process.env.SEED ?? 1);
  test(`equals a plain model after random changes (seed ${FIRST_SEED})`, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const store = await openTestStore(cleanUp, { url: await (await openTestPostgres(cleanUp)).newDatabase() });
    const { db } = store;
    const { directory, credentials } = await openServer(cleanUp, store);
    const random = new SeededRandom(FIRST_SEED);
    const members = projectMemberRepository(db);
    const users = await Promise.all(['a', 'b', 'c'].map((name) => newUser(db, name)));
    const groups = ['g', 'h'];
    const names = ['p', 'q', 'r'];
    interface Model {
      readonly rowId: number;
      isPrivate: boolean;
      readonly levels: Map<string, ProjectLevel>;
    }
    const model = new Map<string, Model>();
    await directory.addNames(['p', 'r']);
    const callers = [
      ...users.map((rowId) => callerOf(rowId)),
      ...users.map((rowId, index) => callerOf(rowId, { groups: groups.slice(index % 2) })),
      callerOf(users[0]!, { role: 'ADMIN' }),
      callerOf(users[0]!, { projects: new Set(['p', 'r']) }),
      callerOf(50, { credential: 'systemKey' }),
      callerOf(50, { credential: 'systemKey', projects: new Set(['p']) }),
    ];

    /** The rule in other words: the greatest of all levels that apply, as numbers. */
    const expected = (caller: SignedInCaller, name: string): number => {
      const { isPrivate, levels } = expectPresent(model.get(name), 'the project exists');
      if (caller.projects && !caller.projects.has(name)) return -1;
      if (caller.user.role === 'ADMIN') return 2;
      if (caller.credential === 'systemKey') return caller.projects || !isPrivate ? 1 : -1;
      const own = [`u${caller.user.rowId}`, ...caller.user.groups].map((key) => {
        const level = levels.get(key);
        return level ? PROJECT_LEVELS.indexOf(level) : -1;
      });
      return Math.max(isPrivate ? -1 : 1, ...own);
    };
    const change = async (): Promise<void> => {
      const name = random.pick(names);
      const project = model.get(name);
      if (project === undefined) {
        const isPrivate = random.chance(0.6);
        const { rowId } = await createProject(db, { name, isPrivate });
        model.set(name, { rowId, isPrivate, levels: new Map() });
        return;
      }
      const { rowId, levels } = project;
      const isGroup = random.chance(0.4);
      const of: MemberRef = isGroup ? { group: random.pick(groups) } : { userRowId: random.pick(users) };
      const key = 'group' in of ? of.group : `u${of.userRowId}`;
      if (random.chance(0.1)) {
        await deleteProject(db, { rowId, name }, 1);
        model.delete(name);
      } else if (random.chance(0.25)) {
        project.isPrivate = !project.isPrivate;
        await members.setPrivate(rowId, project.isPrivate);
      } else if (random.chance(0.35)) {
        await members.remove(rowId, of);
        levels.delete(key);
      } else {
        const level = random.pick(PROJECT_LEVELS);
        await members.set(rowId, of, level);
        levels.set(key, level);
      }
    };

    for (let step = 0; step < 120; step++) {
      await change();
      await credentials.sync();
      for (const [index, caller] of callers.entries()) {
        const access = new ProjectAccess(caller, directory);
        const { scope } = access;
        for (const [name, { rowId }] of model) {
          const level = expected(caller, name);
          const label = `step ${step}, caller ${index}, project ${name}`;
          assert.equal(access.levelOf(rowId), PROJECT_LEVELS[level], label);
          assert.equal(access.levelOfName(name), PROJECT_LEVELS[level], label);
          assert.equal(access.canSendTo(name), level >= 1, label);
          const isListed =
            scope === undefined || ('only' in scope ? scope.only.includes(rowId) : !scope.except.includes(rowId));
          assert.equal(isListed, level >= 0, label);
          if (access.reachesAll) assert.ok(level >= 0, label);
        }
      }
    }
  });
});
