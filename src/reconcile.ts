import type { Log } from './base/log.ts';
import { ROW_ID_GAP } from './model/limits/span-store.ts';
import type { SpanStore } from './span-store/contract/span-store.ts';
import type { Db } from './metadata-store/database/database.ts';
import { claim, describeOlder, findCheckpoint } from './metadata-store/database/installation.ts';
import { raiseSequences } from './metadata-store/database/sequences.ts';
import { findGreatestSpanRowId } from './metadata-store/datasets/examples-at-version.ts';
import {
  createProjectWithRowId,
  findMissingProjects,
  greatestDeletedProject,
  removeDeletionsAfter,
} from './metadata-store/projects/projects.ts';
import type { JournalState } from './ingest/ingest-options.ts';

// The span store and the journal refer to row ids of Postgres, and Postgres refers to row ids of the span store. If one
// of them is restored from an older copy, it would allocate row ids again that mean something else in the others.

/**
 * Assigns a database without an owner to this data directory.
 *
 * @throws {Error} when it belongs to another data directory
 */
export async function claimDatabase(db: Db, installationId: string, place: string): Promise<void> {
  const owner = await claim(db, installationId);
  if (owner === installationId) return;
  throw new Error(
    `The metadata in ${place} belongs to another data directory (${owner}), not to this one (${installationId}): its projects would show each other's spans. Check SERVICE_WORKING_DIR and SERVICE_SQL_DATABASE_URL, or give each server a schema with SERVICE_SQL_DATABASE_SCHEMA. If the database should belong to this directory from now on, run 'spandrel db adopt'.`,
  );
}

/**
 * Reconciles Postgres and the span store before any journal record is applied. Neither then allocates a row id that the
 * other uses. Projects that have spans but no row in Postgres get a row whose name marks them as recovered.
 */
export async function reconcile({
  db,
  spanStore,
  journal,
  isSignInOn,
  log,
}: {
  readonly db: Db;
  readonly spanStore: SpanStore;
  readonly journal: JournalState;
  readonly isSignInOn: boolean;
  readonly log: Log;
}): Promise<void> {
  await expectNotOlder({ db, spanStore, journal, log });
  await removeDeletionsAfter(db, journal.endPosition);
  const { projectIds, modelIds } = await spanStore.metadataRowIds();
  const tables = await raiseSequences(db, {
    projects: Math.max(journal.project, await greatestDeletedProject(db), ...projectIds),
    generative_models: Math.max(journal.model, ...modelIds),
  });
  if (tables.length > 0) {
    log.warn(
      { tables },
      'The database is older than the span store; it will not allocate row ids that the span store uses',
    );
  }
  await recoverProjects(db, projectIds, { isPrivate: isSignInOn, log });
  const spanRowId = await findGreatestSpanRowId(db);
  // After a crash, the source spans of examples may be in the journal only.
  if (spanRowId <= (await spanStore.newestSpanRowId()) + journal.unappliedSpanCount) return;
  await spanStore.skipRowIds({ span: spanRowId });
  log.warn(
    { spanRowId },
    'The span store is older than the database; it will not allocate row ids that the database uses',
  );
}

/**
 * A span store and a journal that were restored from an older copy would allocate the row ids of lost rows again, and links,
 * datasets and annotations would show other rows. The journal always reaches the last checkpoint, also after a crash and when
 * the file of the span store was lost.
 *
 * @throws {Error} when both end before a checkpoint that the database knows
 */
async function expectNotOlder({
  db,
  spanStore,
  journal,
  log,
}: {
  readonly db: Db;
  readonly spanStore: SpanStore;
  readonly journal: JournalState;
  readonly log: Log;
}): Promise<void> {
  const checkpoint = await findCheckpoint(db);
  if (!checkpoint) return;
  const { position, rowIds } = checkpoint;
  const applied = await spanStore.appliedPosition();
  if (position !== null) {
    const problem = describeOlder(Math.max(applied, journal.endPosition), position);
    if (problem !== undefined) throw new Error(problem);
    // Applying the journal allocates the same row ids.
    if (applied >= position || journal.firstPosition <= applied) return;
  }
  await spanStore.skipRowIds({
    span: rowIds.span + ROW_ID_GAP,
    trace: rowIds.trace + ROW_ID_GAP,
    session: rowIds.session + ROW_ID_GAP,
    annotation: rowIds.annotation + ROW_ID_GAP,
  });
  log.warn(
    { rowIds },
    'The span store is older than the database, or incomplete; it will not allocate the row ids of lost rows again',
  );
}

/** The members of a lost project are unknown, so with sign-in only administrators may see it, who can add them again. */
async function recoverProjects(
  db: Db,
  projectIds: readonly number[],
  { isPrivate, log }: { readonly isPrivate: boolean; readonly log: Log },
): Promise<void> {
  for (const rowId of await findMissingProjects(db, projectIds)) {
    const names = [`Recovered project ${rowId}`, `Recovered project ${rowId} (${new Date().toISOString()})`];
    const project = await createProjectWithRowId(db, rowId, { names, isPrivate });
    if (project === undefined) continue;
    const access = isPrivate
      ? 'It is private and has no members: an administrator can add them'
      : 'Everyone can read it';
    log.warn(
      { project, rowId, isPrivate },
      `Spans belong to a project that the database does not know; it is shown as recovered. ${access}`,
    );
  }
}
