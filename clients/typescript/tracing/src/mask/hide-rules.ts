import { SemanticConventions } from '@arizeai/openinference-semantic-conventions';
import { readVariable } from '@spandrel/client/settings';

/** What OpenInference can hide. `OPENINFERENCE_HIDE_…` sets what is not given. */
export interface HideOptions {
  readonly hideInputs?: boolean;
  readonly hideOutputs?: boolean;
  readonly hideInputMessages?: boolean;
  readonly hideOutputMessages?: boolean;
  readonly hideInputImages?: boolean;
  readonly hideInputText?: boolean;
  readonly hideOutputText?: boolean;
  readonly hideLLMInvocationParameters?: boolean;
  readonly hideLLMTools?: boolean;
  readonly hidePrompts?: boolean;
  readonly hideChoices?: boolean;
  readonly hideRetrievalDocuments?: boolean;
  readonly hideEmbeddingVectors?: boolean;
  readonly hideEmbeddingsText?: boolean;
  /** Characters of an image in base64. Default 32,000. */
  readonly base64ImageMaxLength?: number;
}

const FLAGS = {
  hideInputs: 'INPUTS',
  hideOutputs: 'OUTPUTS',
  hideInputMessages: 'INPUT_MESSAGES',
  hideOutputMessages: 'OUTPUT_MESSAGES',
  hideInputImages: 'INPUT_IMAGES',
  hideInputText: 'INPUT_TEXT',
  hideOutputText: 'OUTPUT_TEXT',
  hideLLMInvocationParameters: 'LLM_INVOCATION_PARAMETERS',
  hideLLMTools: 'LLM_TOOLS',
  hidePrompts: 'PROMPTS',
  hideChoices: 'CHOICES',
  hideRetrievalDocuments: 'RETRIEVAL_DOCUMENTS',
  hideEmbeddingVectors: 'EMBEDDING_VECTORS',
  hideEmbeddingsText: 'EMBEDDINGS_TEXT',
} as const;
const IMAGE_CHARS_MAX = 32_000;

/** What to do with an attribute: drop it, or show that it was hidden. */
export type HideAction = 'remove' | 'redact';
/** Undefined: the attribute stays. */
export type HideRule = (key: string, value: unknown) => HideAction | undefined;

/** The rules of OpenInference for the options and variables. Undefined when nothing can ever be hidden by key. */
export function readHideRules(options: HideOptions = {}): {
  readonly byKey: HideRule | undefined;
  readonly byImage: HideRule;
} {
  const flags = Object.entries(FLAGS).map(([name, variable]) => {
    const given = options[name as keyof typeof FLAGS];
    return [name, given ?? readVariable(`OPENINFERENCE_HIDE_${variable}`)?.toLowerCase() === 'true'] as const;
  });
  const hides = Object.fromEntries(flags) as Record<keyof typeof FLAGS, boolean>;
  const limit =
    options.base64ImageMaxLength ?? Number(readVariable('OPENINFERENCE_BASE64_IMAGE_MAX_LENGTH') ?? Number.NaN);
  const charsMax = Number.isFinite(limit) ? limit : IMAGE_CHARS_MAX;
  return {
    byKey: Object.values(hides).some(Boolean) ? (key) => hideByKey(hides, key) : undefined,
    byImage: (key, value) =>
      typeof value === 'string' &&
      value.length > charsMax &&
      value.startsWith('data:image/') &&
      key.endsWith('image.url')
        ? 'redact'
        : undefined,
  };
}

const of = (key: string, namespace: string): boolean => key === namespace || key.startsWith(`${namespace}.`);

function hideByKey(hides: Readonly<Record<keyof typeof FLAGS, boolean>>, key: string): HideAction | undefined {
  const C = SemanticConventions;
  if (of(key, 'input')) {
    if (hides.hideInputs) return key === C.INPUT_VALUE ? 'redact' : 'remove';
    return hides.hideInputImages && of(key, 'input.images') ? 'remove' : undefined;
  }
  if (of(key, 'output')) return hides.hideOutputs ? (key === C.OUTPUT_VALUE ? 'redact' : 'remove') : undefined;
  if (of(key, C.LLM_INPUT_MESSAGES)) {
    if (hides.hideInputs || hides.hideInputMessages) return 'remove';
    if (hides.hideInputImages && key.includes('message_content.image')) return 'remove';
    return hides.hideInputText && isText(key) ? 'redact' : undefined;
  }
  if (of(key, C.LLM_OUTPUT_MESSAGES)) {
    if (hides.hideOutputs || hides.hideOutputMessages) return 'remove';
    return hides.hideOutputText && isText(key) ? 'redact' : undefined;
  }
  if (of(key, 'llm.prompts')) return hides.hideInputs || hides.hidePrompts ? 'redact' : undefined;
  if (of(key, 'llm.choices')) return hides.hideOutputs || hides.hideChoices ? 'redact' : undefined;
  if (of(key, C.LLM_TOOLS)) return hides.hideInputs || hides.hideLLMTools ? 'remove' : undefined;
  if (of(key, C.LLM_INVOCATION_PARAMETERS)) return hides.hideLLMInvocationParameters ? 'remove' : undefined;
  if (of(key, C.RETRIEVAL_DOCUMENTS)) return hides.hideOutputs || hides.hideRetrievalDocuments ? 'remove' : undefined;
  if (of(key, C.EMBEDDING_EMBEDDINGS)) {
    if (key.endsWith('.embedding.vector'))
      return hides.hideOutputs || hides.hideEmbeddingVectors ? 'remove' : undefined;
    if (key.endsWith('.embedding.text')) return hides.hideInputs || hides.hideEmbeddingsText ? 'redact' : undefined;
  }
  return undefined;
}

const isText = (key: string): boolean => key.endsWith('.message.content') || key.endsWith('.message_content.text');
