import { authorRef } from '../access/user.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { rowIdOfNode } from '../node.ts';
import { codeVersionRef, fromRow, id, type NodeRef, type Resolvers, sandboxConfigRef } from '../resolvers.ts';
import { evaluatorResolvers } from './evaluator.ts';

const code = fromRow(({ codeEvaluators }) => codeEvaluators);

/** A field of the newest version. `none` is its value without a version. */
const ofCurrent =
  (read: (version: { readonly sourceCode: string; readonly inputSchema: unknown }) => unknown, none: unknown) =>
  async ({ rowId }: NodeRef, _args: unknown, { loaders }: GraphqlContext) => {
    const [newest] = (await loaders.versionIdsOfCode.load(rowId)) ?? [];
    const version = newest === undefined ? undefined : await loaders.codeVersions.load(newest);
    return version ? read(version) : none;
  };

export const codeEvaluatorResolvers: Resolvers = {
  ...evaluatorResolvers('CodeEvaluator', ({ codeEvaluators }) => codeEvaluators),
  language: code(({ language }) => language),
  sandboxConfig: code(({ sandboxConfigRowId }) => sandboxConfigRowId && sandboxConfigRef(sandboxConfigRowId)),
  inputMapping: code(({ inputMapping: { paths, literals } }) => ({ pathMapping: paths, literalMapping: literals })),
  inputSchema: ofCurrent(({ inputSchema }) => inputSchema, null),
  sourceCode: ofCurrent(({ sourceCode }) => sourceCode, ''),
  currentVersion: ({ rowId }: NodeRef, _args: unknown, { loaders }: GraphqlContext) =>
    whenKnown(loaders.versionIdsOfCode.load(rowId), ([newest]: readonly number[] = []) =>
      newest === undefined ? null : codeVersionRef(newest),
    ),
  version: async ({ rowId }: NodeRef, { versionId }: { readonly versionId: string }, { loaders }: GraphqlContext) => {
    const ref = codeVersionRef(rowIdOfNode('CodeEvaluatorVersion', versionId));
    const version = await loaders.codeVersions.load(ref.rowId);
    return version?.evaluatorRowId === rowId ? ref : null;
  },
  versions: ({ rowId }: NodeRef, args: PageArguments, { loaders, items }: GraphqlContext) =>
    whenKnown(loaders.versionIdsOfCode.load(rowId), (rowIds: readonly number[] = []) =>
      offsetConnection(rowIds, args, codeVersionRef, items),
    ),
  versionCount: ({ rowId }: NodeRef, _args: unknown, { loaders }: GraphqlContext) =>
    whenKnown(loaders.versionIdsOfCode.load(rowId), (rowIds: readonly number[] = []) => rowIds.length),
};

const version = fromRow(({ codeVersions }) => codeVersions);

export const codeVersionResolvers: Resolvers = {
  id,
  sourceCode: version(({ sourceCode }) => sourceCode),
  createdAt: version(({ createdAt }) => createdAt),
  inputSchema: version(({ inputSchema }) => inputSchema),
  previousVersion: version(({ previousRowId }) => previousRowId && codeVersionRef(previousRowId)),
  sequenceNumber: version(({ sequenceNumber }) => sequenceNumber),
  user: version(authorRef),
};
