import { SpandrelError } from '../../../model/errors.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { PromptTagMove, PromptVersionTag } from '../../../model/prompts/prompt.ts';
import { describeTemplate } from '../../../domain/prompts/describe-template.ts';
import { toVersionContent } from '../../../domain/prompts/version-content.ts';
import { rowIdOf, toGlobalId } from '../../contract/global-id.ts';
import { authorRef } from '../access/user.ts';
import { type PageArguments, reject } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import {
  customProviderRef,
  fromRow,
  id,
  type NodeRef,
  promptLabelRef,
  promptRef,
  promptVersionRef,
  promptVersionTagRef,
  type Resolver,
  type Resolvers,
} from '../resolvers.ts';
import { toInvocationParameters, toPlainParameters, toResponseFormat, toTemplate, toTools } from './prompt-content.ts';
import { findUsage } from './prompt-usage.ts';

type PromptRef = NodeRef<'Prompt'>;

const row = fromRow(({ prompts }) => prompts);

export const promptResolvers: Resolvers = {
  id,
  sourcePromptId: row(({ sourcePromptId }) => sourcePromptId && toGlobalId('Prompt', sourcePromptId)),
  name: row(({ name }) => name),
  description: row(({ description }) => description),
  metadata: row(({ metadata }) => metadata),
  createdAt: row(({ createdAt }) => createdAt),
  updatedAt: row(({ updatedAt }) => updatedAt),
  createdBy: versionIds((ids, _args, context) => authorOfVersion(ids.at(-1), context)),
  updatedBy: versionIds((ids, _args, context) => authorOfVersion(ids[0], context)),
  versionCount: versionIds(({ length }) => length),
  version: findVersion,
  promptVersions: versionIds((ids, args: PageArguments, { items }) =>
    offsetConnection(ids, args, promptVersionRef, items),
  ),
  usage: findUsage,
  versionTags: ({ rowId }: PromptRef, _args, { loaders, items }) =>
    whenKnown(loaders.tagsOfPrompts.load(rowId), (tags = []) => {
      items.take(tags.length);
      return tags.map((tag) => toTagRef(tag, loaders));
    }),
  async tagMoves({ rowId: promptId }: PromptRef, { first }: { readonly first: number }, { domain, items }) {
    if (first < 1 || first > PAGE_ROW_COUNT_MAX) return reject(`first must be from 1 to ${PAGE_ROW_COUNT_MAX}`);
    const moves = await domain.prompts.listTagMoves({ promptId, limit: first });
    items.take(moves.length);
    return moves;
  },
  labels: ({ rowId }: PromptRef, _args, { loaders, items }) =>
    whenKnown(loaders.labelsOfPrompts.load(rowId), (labels = []) => {
      items.take(labels.length);
      return labels.map((label) => {
        loaders.promptLabels.prime(label.rowId, label);
        return promptLabelRef(label.rowId);
      });
    }),
  sourcePrompt: row(({ sourcePromptId }) => sourcePromptId && promptRef(sourcePromptId)),
};

/** A field that is computed from the row ids of the prompt's versions, newest first. */
function versionIds<Arguments>(
  compute: (ids: readonly number[], args: Arguments, context: GraphqlContext) => unknown,
): Resolver<PromptRef, Arguments> {
  return ({ rowId }, args, context) =>
    whenKnown(context.loaders.versionIdsOfPrompts.load(rowId), (ids = []) => compute(ids, args, context));
}

const authorOfVersion = (rowId: number | undefined, context: GraphqlContext): unknown =>
  rowId === undefined
    ? null
    : whenKnown(context.loaders.promptVersions.load(rowId), (version) => version && authorRef(version, context));

interface VersionArguments {
  readonly versionId?: string | null;
  readonly tagName?: string | null;
}

async function findVersion(
  { rowId }: PromptRef,
  args: VersionArguments,
  { loaders }: GraphqlContext,
): Promise<NodeRef> {
  const { versionId, tagName } = args;
  if (typeof versionId === 'string') {
    const given = rowIdOf('PromptVersion', versionId);
    const version = given === undefined ? undefined : await loaders.promptVersions.load(given);
    if (version?.promptId === rowId) return promptVersionRef(version.rowId);
    return versionNotFound(`Prompt version not found: ${versionId}`);
  }
  if (typeof tagName === 'string') {
    const tag = (await loaders.tagsOfPrompts.load(rowId))?.find(({ name }) => name === tagName);
    if (tag) return promptVersionRef(tag.promptVersionId);
    return versionNotFound(`This prompt has no associated versions by tag ${tagName}`);
  }
  const [latest] = (await loaders.versionIdsOfPrompts.load(rowId)) ?? [];
  return latest === undefined ? versionNotFound('This prompt has no associated versions') : promptVersionRef(latest);
}

const versionNotFound = (message: string): never => {
  throw new SpandrelError('PROMPT_VERSION_NOT_FOUND', message);
};

const version = fromRow(({ promptVersions }) => promptVersions);

export const promptVersionResolvers: Resolvers = {
  id,
  user: version(authorRef),
  description: version(({ description }) => description),
  templateType: version(({ template }) => (template.type === 'chat' ? 'CHAT' : 'STRING')),
  templateFormat: version(({ templateFormat }) => templateFormat),
  template: version(({ template }) => toTemplate(template)),
  content: version(toVersionContent),
  templateDescription: version(({ template, templateFormat }, { items }) => {
    const { tags, ...rest } = describeTemplate(template, templateFormat);
    items.take(tags.length);
    return { ...rest, tags: tags.map((tag) => ({ ...tag, kind: tag.kind.toUpperCase() })) };
  }),
  invocationParameters: version(({ invocationParameters }) => toInvocationParameters(invocationParameters)),
  plainInvocationParameters: version(({ invocationParameters }) => toPlainParameters(invocationParameters)),
  tools: version(({ tools }) => tools && toTools(tools)),
  responseFormat: version(({ responseFormat }) => responseFormat && toResponseFormat(responseFormat)),
  modelName: version(({ modelName }) => modelName),
  modelProvider: version(({ modelProvider }) => modelProvider),
  customProvider: version(({ customProviderId: rowId }, { loaders }) =>
    // The provider may be deleted after the version was read.
    typeof rowId === 'number'
      ? whenKnown(loaders.customProviders.load(rowId), (provider) => (provider ? customProviderRef(rowId) : null))
      : null,
  ),
  metadata: version(({ metadata }) => metadata),
  createdAt: version(({ createdAt }) => createdAt),
  tags: version(({ rowId, promptId }, { loaders, items }) =>
    whenKnown(loaders.tagsOfPrompts.load(promptId), (tags = []) => {
      const own = tags.filter(({ promptVersionId }) => promptVersionId === rowId);
      items.take(own.length);
      return own.map((tag) => toTagRef(tag, loaders));
    }),
  ),
  isLatest: siblings((ids, place) => place === 0 && ids.length > 0),
  previousVersion: siblings((ids, place) => {
    const older = ids[place + 1];
    return older === undefined ? null : promptVersionRef(older);
  }),
  sequenceNumber: siblings((ids, place) => ids.length - place),
};

/** A field that is computed from the position of the version among those of its prompt, newest first. */
function siblings(compute: (ids: readonly number[], place: number) => unknown): Resolver<NodeRef> {
  return version(({ rowId, promptId }, { loaders }) =>
    whenKnown(loaders.versionIdsOfPrompts.load(promptId), (ids = []) => compute(ids, ids.indexOf(rowId))),
  );
}

const tag = fromRow(({ promptVersionTags }) => promptVersionTags);

export const promptVersionTagResolvers: Resolvers = {
  id,
  user: tag(authorRef),
  promptVersionId: tag(({ promptVersionId }) => toGlobalId('PromptVersion', promptVersionId)),
  version: tag(({ promptVersionId }) => promptVersionRef(promptVersionId)),
  name: tag(({ name }) => name),
  description: tag(({ description }) => description),
};

export const promptTagMoveResolvers: Resolvers = {
  tagName: ({ tagName }: PromptTagMove) => tagName,
  movedAt: ({ movedAt }: PromptTagMove) => movedAt,
  fromVersion: ({ fromVersionId }: PromptTagMove) => fromVersionId && promptVersionRef(fromVersionId),
  toVersion: ({ toVersionId }: PromptTagMove) => toVersionId && promptVersionRef(toVersionId),
  user: authorRef,
};

const label = fromRow(({ promptLabels }) => promptLabels);

export const promptLabelResolvers: Resolvers = {
  id,
  name: label(({ name }) => name),
  description: label(({ description }) => description),
  color: label(({ color }) => color),
  usageCount: ({ rowId }: NodeRef, _args, { loaders }) =>
    whenKnown(loaders.promptCountsOfLabels.load(rowId), (count) => count ?? 0),
};

function toTagRef(row: PromptVersionTag, loaders: GraphqlContext['loaders']): NodeRef {
  loaders.promptVersionTags.prime(row.rowId, row);
  return promptVersionTagRef(row.rowId);
}
