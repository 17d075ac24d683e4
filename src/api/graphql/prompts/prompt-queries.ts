import { SpandrelError } from '../../../model/errors.ts';
import type { TemplateFormat } from '../../../model/prompts/prompt-template.ts';
import { checkMapping, mapInputs } from '../../../domain/evaluators/input-mapping.ts';
import { renderChatTemplate } from '../../../domain/prompts/render-template.ts';
import { rowIdOf } from '../../contract/global-id.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { promptLabelRef, promptRef, type Resolvers } from '../resolvers.ts';
import { toTemplate } from './prompt-content.ts';
import { type ChatTemplateInput, checkObject, toChatTemplate } from './prompt-input.ts';

interface PromptsArguments extends PageArguments {
  readonly filter?: { readonly value: string } | null;
  readonly labelIds?: readonly string[] | null;
}

interface CompareArguments {
  readonly baseVersionId: string;
  readonly versionId: string;
}

interface ApplyArguments {
  readonly template: ChatTemplateInput;
  readonly templateOptions: { readonly variables: unknown; readonly format: TemplateFormat };
  readonly inputMapping?: { readonly literalMapping: unknown; readonly pathMapping: unknown } | null;
}

export const promptQueries: Resolvers = {
  async prompts(_source, args: PromptsArguments, { domain, items }: GraphqlContext) {
    const { filter, labelIds } = args;
    const ids = await domain.prompts.findIds({
      ...(filter && { nameContains: filter.value }),
      ...(labelIds?.length && { labelIds: labelIds.map((labelId) => rowIdOfNode('PromptLabel', labelId)) }),
    });
    return offsetConnection(ids, args, promptRef, items);
  },
  promptCount: (_source, _args, { domain }: GraphqlContext) => domain.prompts.count(),
  async promptLabels(_source, args: PageArguments, { domain, loaders, items }: GraphqlContext) {
    const labels = await domain.prompts.listLabels();
    for (const label of labels) loaders.promptLabels.prime(label.rowId, label);
    return offsetConnection(labels, args, ({ rowId }) => promptLabelRef(rowId), items);
  },
  applyChatTemplate: (_source, { template, templateOptions, inputMapping }: ApplyArguments) => {
    const { format } = templateOptions;
    const context = checkObject('variables', templateOptions.variables);
    const variables = inputMapping ? mapInputs(checkMapping(inputMapping), context) : context;
    return toTemplate(renderChatTemplate(toChatTemplate(template), { format, variables }));
  },
  comparePromptVersions: (_source, { baseVersionId, versionId }: CompareArguments, { domain }: GraphqlContext) =>
    domain.prompts.compareVersions(versionRowId(baseVersionId), versionRowId(versionId)),
};

const versionRowId = (id: string): number => rowIdOf('PromptVersion', id) ?? versionInvalid();

const versionInvalid = (): never => {
  throw new SpandrelError('PROMPT_INVALID', 'Invalid prompt version ID');
};
