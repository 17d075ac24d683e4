import { InputError } from '../errors.ts';
import { textOf } from '../models/chat-message.ts';
import type { ModelParameters } from '../models/model.ts';
import { modelKey } from '../models/model.ts';
import { type ModelInput, toModel } from '../models/to-model.ts';
import {
  type ParsedTemplate,
  type PromptTemplate,
  parseTemplate,
  type TemplateFormat,
  type ValueFormatter,
} from '../templates/format-template.ts';
import { EvaluatorBase, type EvaluatorDescription, type EvaluatorOptions } from './evaluator-base.ts';
import { type EvalRecord, requireFields } from './input-mapping.ts';

/** Characters of a prompt: more than the context of any model, which would reject it after the upload. */
const PROMPT_CHARS_MAX = 5_000_000;

export interface LLMEvaluatorOptions<RecordType> extends Omit<EvaluatorOptions<RecordType>, 'kind'> {
  readonly model: ModelInput;
  readonly promptTemplate: PromptTemplate;
  /** Default `mustache`. */
  readonly templateFormat?: TemplateFormat;
  /** `temperature`, `maxTokens` and what the vendor has. */
  readonly parameters?: ModelParameters;
  /** Changes the texts of a row before they are inserted, such as fences that a text must not close. */
  readonly formatValue?: ValueFormatter;
  /** Added to the metadata of each result, such as the version of a judge. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Base of evaluators that ask a model with a prompt template. */
export abstract class LLMEvaluator<RecordType = EvalRecord> extends EvaluatorBase<RecordType> {
  readonly model: ModelInput;
  readonly promptTemplate: PromptTemplate;
  readonly templateFormat: TemplateFormat;
  readonly parameters: ModelParameters;
  override readonly promptTemplateVariables: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  protected readonly template: ParsedTemplate;
  protected readonly formatValue: ValueFormatter | undefined;

  constructor({
    model,
    promptTemplate,
    templateFormat = 'mustache',
    parameters = {},
    formatValue,
    metadata = {},
    ...options
  }: LLMEvaluatorOptions<RecordType>) {
    super({ ...options, kind: 'LLM' });
    // Wrong arguments are found now and not at the first row.
    toModel(model);
    this.model = model;
    this.promptTemplate = promptTemplate;
    this.templateFormat = templateFormat;
    this.parameters = parameters;
    this.metadata = metadata;
    this.formatValue = formatValue;
    this.template = parseTemplate(promptTemplate, templateFormat);
    this.promptTemplateVariables = this.template.variables;
  }

  override describe(): EvaluatorDescription {
    const model = toModel(this.model);
    return {
      ...super.describe(),
      // The number in the address of a function differs between processes.
      model:
        model.provider === 'function' ? `function ${model.name} ${model.address.split(':').at(-1)}` : modelKey(model),
      promptTemplate: this.promptTemplate,
      ...(this.templateFormat !== 'mustache' && { templateFormat: this.templateFormat }),
      parameters: this.parameters,
      metadata: this.metadata,
    };
  }

  /** The messages for a row. @throws {InputError} when a variable is missing */
  protected renderPrompt(input: EvalRecord) {
    requireFields(input, this.template.required);
    const messages = this.template.render(input, this.formatValue);
    const length = messages.reduce((sum, message) => sum + textOf(message).length, 0);
    if (length > PROMPT_CHARS_MAX) {
      throw new InputError(
        `The prompt has ${length} characters, and at most ${PROMPT_CHARS_MAX} are sent; map fields to shorter texts.`,
      );
    }
    return messages;
  }
}
