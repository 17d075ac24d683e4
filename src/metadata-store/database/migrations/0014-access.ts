import { type Kysely, type Migration, sql } from 'kysely';
import { createCredentialChanges, createGroupChanges } from './0014-access/credential-changes.ts';
import { createAuthorizationServer, createCredentials } from './0014-access/credentials.ts';
import { createProjectAccess } from './0014-access/project-access.ts';
import { createSecretsAndAudit } from './0014-access/secrets-and-audit.ts';
import { createGroups, createUserIdentities, createUsers } from './0014-access/users.ts';

/** Tables whose rows name the user who created them. The rows stay when the user is deleted. */
const AUTHORED_TABLES = [
  'datasets',
  'dataset_versions',
  'dataset_splits',
  'dataset_labels',
  'experiments',
  'experiment_tags',
  'prompt_versions',
  'prompt_version_tags',
  'evaluators',
  'dataset_evaluators',
  'generative_model_custom_providers',
  'saved_views',
] as const;

export const migration0014: Migration = {
  async up(db: Kysely<unknown>) {
    await createUsers(db);
    await createUserIdentities(db);
    await createGroups(db);
    await createCredentials(db);
    await createAuthorizationServer(db);
    await createProjectAccess(db);
    await createCredentialChanges(db);
    await createGroupChanges(db);
    await createSecretsAndAudit(db);
    for (const table of AUTHORED_TABLES) {
      await sql`alter table ${sql.table(table)} add column user_id bigint references users (id) on delete set null`.execute(
        db,
      );
      // For the deletion of a user, which searches for references.
      await sql`create index ${sql.ref(`${table}_user_id_index`)} on ${sql.table(table)} (user_id)`.execute(db);
    }
  },
};
