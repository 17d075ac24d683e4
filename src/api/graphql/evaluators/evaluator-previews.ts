import { SpandrelError } from '../../../model/errors.ts';
import type { Evaluation } from '../../../model/evaluators/evaluation.ts';
import type { CodeLanguage } from '../../../model/evaluators/sandbox-config.ts';
import { checkJsonObject } from '../../../domain/datasets/json-object.ts';
import { checkMapping } from '../../../domain/evaluators/input-mapping.ts';
import type { EvaluatorPreview, PreviewedEvaluator } from '../../../domain/evaluators/preview-evaluators.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { type ConfigInput, toNewConfig } from '../annotations/annotation-config-input.ts';
import type { GraphqlContext } from '../context.ts';
import { parseNodeId, rowIdOfNode } from '../node.ts';
import { type CredentialInput, toCredentials } from '../playground/connection-input.ts';
import { type ChatPromptVersionInput, onlyField, toContent } from '../prompts/prompt-input.ts';
import type { Resolvers } from '../resolvers.ts';

interface PreviewsInput {
  readonly previews: readonly PreviewInput[];
  readonly credentials?: readonly CredentialInput[] | null;
}
interface PreviewInput {
  readonly evaluator: Readonly<Record<string, unknown>>;
  readonly context: unknown;
  readonly inputMapping: { readonly literalMapping: unknown; readonly pathMapping: unknown };
}
interface InlineCodeInput {
  readonly name: string;
  readonly language: CodeLanguage;
  readonly sourceCode: string;
  readonly outputConfigs: readonly ConfigInput[];
  readonly sandboxConfigId?: string | null;
}
interface InlineLlmInput {
  readonly name: string;
  readonly promptVersion: ChatPromptVersionInput;
  readonly outputConfigs: readonly ConfigInput[];
}

export const evaluatorPreviewMutations: Resolvers = {
  async evaluatorPreviews(_source, { input }: { readonly input: PreviewsInput }, context: GraphqlContext) {
    const { domain, items, signal } = context;
    const credentials = toCredentials(input.credentials);
    const evaluations = await domain.evaluators.previewEvaluators(input.previews.map(toPreview), {
      ...{ credentials, signal },
    });
    items.take(evaluations.length);
    return { results: evaluations.map(toResult) };
  },
};

const toPreview = ({ evaluator, context, inputMapping }: PreviewInput): EvaluatorPreview => ({
  evaluator: toPreviewed(evaluator),
  context: checkJsonObject('context', context),
  inputMapping: checkMapping(inputMapping),
});

function toPreviewed(input: Readonly<Record<string, unknown>>): PreviewedEvaluator {
  const [kind, value] = onlyField(input, 'EvaluatorPreviewInput');
  if (kind === 'builtInEvaluatorId') {
    const { type, rowId } = parseNodeId(value as unknown as string);
    if (type === 'BuiltInEvaluator') return { kind: 'BUILTIN', rowId };
    throw new SpandrelError('EVALUATOR_INVALID', `Expected built-in evaluator, got ${type}`);
  }
  if (kind === 'codeEvaluatorId')
    return { kind: 'CODE', rowId: rowIdOfNode('CodeEvaluator', value as unknown as string) };
  if (kind === 'inlineCodeEvaluator') {
    const { sandboxConfigId, ...code } = value as unknown as InlineCodeInput;
    return {
      kind: 'INLINE_CODE',
      ...{ name: code.name, language: code.language, sourceCode: code.sourceCode },
      outputConfigs: code.outputConfigs.map(toNewConfig),
      sandboxConfigRowId: sandboxConfigId ? rowIdOfNode('SandboxConfig', sandboxConfigId) : null,
    };
  }
  const { name, promptVersion, outputConfigs } = value as unknown as InlineLlmInput;
  return { kind: 'LLM', name, prompt: toContent(promptVersion), outputConfigs: outputConfigs.map(toNewConfig) };
}

const toResult = (evaluation: Evaluation) => ({
  evaluatorName: evaluation.name,
  annotation: evaluation.error === null ? toAnnotation(evaluation) : null,
  trace: null,
  error: evaluation.error,
});

/** An annotation that is not stored. Its ID is that of no row. */
const toAnnotation = ({ startTime, endTime, ...evaluation }: Evaluation) => ({
  ...evaluation,
  type: 'ExperimentRunAnnotation',
  id: toGlobalId('ExperimentRunAnnotation', 0),
  startTime: BigInt(startTime.getTime()) * 1_000_000n,
  endTime: BigInt(endTime.getTime()) * 1_000_000n,
});
