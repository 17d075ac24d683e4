import { toModel } from '../models/to-model.ts';
import type { EvaluationResult } from '../scores/score.ts';
import { type Choice, type ChoicesInput, toChoices } from './choices.ts';
import type { EvaluateOptions, EvaluatorDescription } from './evaluator-base.ts';
import { classify } from './generate-classification.ts';
import type { EvalRecord } from './input-mapping.ts';
import { LLMEvaluator, type LLMEvaluatorOptions } from './llm-evaluator.ts';

export interface ClassificationEvaluatorOptions<RecordType> extends LLMEvaluatorOptions<RecordType> {
  readonly choices: ChoicesInput;
  /** Default true. Without it the model decides before it gives reasons, and answers are shorter. */
  readonly includeExplanation?: boolean;
  /** Whether log-probabilities grade the score: the mean of the scores by the probabilities of their labels. */
  readonly gradeByLogprobs?: boolean;
  readonly schemaName?: string;
  readonly schemaDescription?: string;
}

/** Lets a model choose one of several labels for each row. */
export class ClassificationEvaluator<RecordType = EvalRecord> extends LLMEvaluator<RecordType> {
  readonly choices: ChoicesInput;
  readonly includeExplanation: boolean;
  readonly gradeByLogprobs: boolean;
  protected readonly choiceList: readonly Choice[];
  protected readonly schemaName: string | undefined;
  protected readonly schemaDescription: string | undefined;

  constructor({
    choices,
    includeExplanation = true,
    gradeByLogprobs = false,
    schemaName,
    schemaDescription,
    ...options
  }: ClassificationEvaluatorOptions<RecordType>) {
    super(options);
    this.choiceList = toChoices(choices);
    this.choices = choices;
    this.includeExplanation = includeExplanation;
    this.gradeByLogprobs = gradeByLogprobs;
    this.schemaName = schemaName;
    this.schemaDescription = schemaDescription;
  }

  override describe(): EvaluatorDescription {
    const { choiceList: choices, includeExplanation, gradeByLogprobs, schemaName, schemaDescription } = this;
    return {
      ...super.describe(),
      ...{ choices, includeExplanation, gradeByLogprobs },
      ...(schemaName !== undefined && { schemaName }),
      ...(schemaDescription !== undefined && { schemaDescription }),
    };
  }

  protected override async evaluateMapped(input: EvalRecord, options: EvaluateOptions): Promise<EvaluationResult> {
    const { model, parameters, schemaName, schemaDescription, includeExplanation, telemetry } = this;
    const { choice, explanation, answer, probabilities } = await classify(
      {
        model,
        parameters,
        schemaName,
        schemaDescription,
        includeExplanation,
        telemetry,
        choices: this.choiceList,
        wantsLogprobs: this.gradeByLogprobs,
      },
      this.renderPrompt(input),
      options,
    );
    const graded = this.gradeByLogprobs && probabilities ? gradedScore(this.choiceList, probabilities) : undefined;
    const score = graded ?? choice.score;
    return {
      ...(score !== undefined && { score }),
      label: choice.label,
      ...(explanation !== undefined && { explanation }),
      metadata: {
        ...this.metadata,
        model: toModel(model).name,
        ...answer.usage,
        ...(answer.cost !== undefined && { cost: answer.cost }),
        ...(answer.isRepaired && { repaired: true }),
        ...(answer.isCached && { cached: true }),
        ...(this.gradeByLogprobs && probabilities && { probabilities: Object.fromEntries(probabilities) }),
      },
    };
  }
}

/** Mean of the scores by probability. Undefined when a label has no score. */
function gradedScore(choices: readonly Choice[], probabilities: ReadonlyMap<string, number>): number | undefined {
  let sum = 0;
  for (const { label, score } of choices) {
    if (score === undefined) return undefined;
    sum += score * (probabilities.get(label) ?? 0);
  }
  return sum;
}

/** An evaluator that lets a model choose a label. */
export const createClassificationEvaluator = <RecordType = EvalRecord>(
  options: ClassificationEvaluatorOptions<RecordType>,
): ClassificationEvaluator<RecordType> => new ClassificationEvaluator(options);

/** The same as a plain function of a row. */
export function createClassifierFn<RecordType = EvalRecord>(
  options: Omit<ClassificationEvaluatorOptions<RecordType>, 'name'> & { readonly name?: string },
): (record: RecordType, options?: EvaluateOptions) => Promise<EvaluationResult> {
  const evaluator = new ClassificationEvaluator<RecordType>({ name: 'classifier', ...options });
  return (record, evaluateOptions) => evaluator.evaluate(record, evaluateOptions);
}
