import type { JsonObject } from '../../../../semconv/read-open-inference.ts';
import { credentialsFor } from '../../../components/prompt/model/credentials.ts';
import { headersOf } from '../../../components/prompt/model/headers.ts';
import type { Variant } from '../../../components/prompt/variant/variant.ts';
import { isUnsaved, toVersionInput } from '../../../components/prompt/variant/version-input.ts';
import type { PlaygroundCellsVariables, PlaygroundVariantsVariables } from '../generated/runs.ts';
import type { RunBudget, RunSettings } from '../state/draft.ts';

type ChatInput = PlaygroundCellsVariables['input']['variants'][number];
type OverDatasetInput = PlaygroundVariantsVariables['inputs'][number];

/** The parts of a call that all cells of a variant share. */
const sharedInput = (variant: Variant, isStreamed: boolean) => {
  const { model } = variant;
  const credentials = model.customProviderId === null ? credentialsFor(model.provider) : [];
  const headers = headersOf(variant.id);
  return {
    promptVersion: toVersionInput(variant),
    ...(model.customProviderId === null && {
      connectionConfig: { ...model.connection, openaiApiType: model.api },
    }),
    ...(headers && { headers }),
    ...(credentials.length > 0 && { credentials }),
    ...(variant.source && { promptName: variant.source.promptName }),
    streamModelOutput: isStreamed,
  };
};

export const toChatInput = (
  variant: Variant,
  settings: Pick<RunSettings, 'repetitions' | 'isStreamed'>,
  budget: RunBudget | undefined,
): ChatInput =>
  ({
    ...sharedInput(variant, settings.isStreamed),
    repetitions: settings.repetitions,
    ...(budget && { budget }),
  }) as unknown as ChatInput;

interface DatasetTarget {
  readonly datasetId: string;
  readonly splitIds: readonly string[];
  /** Letter of the variant, which its experiment is named by. */
  readonly letter: string;
  readonly evaluatorIds: readonly string[];
}

/** A run over a dataset. A variant without changes names its stored version. */
export function toOverDatasetInput(variant: Variant, settings: RunSettings, target: DatasetTarget): OverDatasetInput {
  const { source, model } = variant;
  const name = `${source?.promptName ?? 'playground'} ${target.letter} ${model.name}`;
  const input: JsonObject = {
    ...(sharedInput(variant, settings.isStreamed) as unknown as JsonObject),
    ...(source && !isUnsaved(variant) && { promptVersionId: source.versionId }),
    repetitions: settings.repetitions,
    datasetId: target.datasetId,
    ...(target.splitIds.length > 0 && { splitIds: target.splitIds }),
    experimentName: name,
    // The server reads everything but the ID from the evaluator itself.
    evaluators: target.evaluatorIds.map((id) => ({
      ...{ id, name: 'evaluator' },
      inputMapping: { literalMapping: {}, pathMapping: {} },
    })),
    ...(settings.messagesPath.trim() !== '' && { appendedMessagesPath: settings.messagesPath.trim() }),
    templateVariablesPath: settings.variablesPath,
    createEphemeralExperiment: !settings.isRecorded,
    maxConcurrency: settings.concurrency,
    ...(settings.usesCache && { useCache: true }),
    ...(settings.budget && { budget: { ...settings.budget } }),
  };
  return input as unknown as OverDatasetInput;
}
