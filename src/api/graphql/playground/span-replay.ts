import type { TaskConnection } from '../../../model/playground/chat-task.ts';
import { toVersionContent } from '../../../domain/prompts/version-content.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { rowIdOfNode } from '../node.ts';
import { fromRow, promptVersionRef, type Resolvers } from '../resolvers.ts';

interface ReplayArguments {
  readonly promptVersionId?: string | null;
}

/** The recorded call of a span, for the playground. */
export const spanReplayResolvers: Resolvers = {
  replay: fromRow(({ spans }) => spans)(({ rowId, spanKind }, context, { promptVersionId }: ReplayArguments) => {
    if (spanKind !== 'LLM') return null;
    const versionRowId = promptVersionId ? rowIdOfNode('PromptVersion', promptVersionId) : null;
    return whenKnown(context.loaders.spanBodies.load(rowId), async (body) => {
      if (!body) return null;
      const replay = await context.domain.playground.replaySpan(body, versionRowId);
      const { sent, template, connection, promptVersionRowId, warnings, ...rest } = replay;
      context.items.take(warnings.length);
      const content = { description: null, ...sent };
      return {
        ...rest,
        content: toVersionContent(content),
        templateContent: template && toVersionContent({ ...content, ...template }),
        connection: connection && toConnection(connection),
        promptVersion: promptVersionRowId === null ? null : promptVersionRef(promptVersionRowId),
        warnings,
      };
    });
  }),
};

function toConnection(connection: TaskConnection): object {
  return {
    baseUrl: 'base_url' in connection ? connection.base_url : null,
    azureEndpoint: 'azure_endpoint' in connection ? connection.azure_endpoint : null,
    openaiApiType: 'openai_api_type' in connection ? connection.openai_api_type.toUpperCase() : null,
  };
}
