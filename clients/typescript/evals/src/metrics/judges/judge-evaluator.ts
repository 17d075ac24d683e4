import { ArgumentError } from '../../errors.ts';
import type { ChoicesInput } from '../../evaluators/choices.ts';
import {
  ClassificationEvaluator,
  type ClassificationEvaluatorOptions,
} from '../../evaluators/classification-evaluator.ts';
import type { EvaluateOptions } from '../../evaluators/evaluator-base.ts';
import type { EvalRecord } from '../../evaluators/input-mapping.ts';
import type { EvaluationResult } from '../../scores/score.ts';
import {
  fenceEscaper,
  type JudgeExample,
  type JudgeFile,
  judgePrompt,
  withExamples,
  withVersion,
} from './judge-file.ts';

/** What a ready-made judge takes: a model, and whatever should differ from the judge's file. */
export interface JudgeOptions
  extends Partial<Omit<ClassificationEvaluatorOptions<EvalRecord>, 'model' | 'formatValue'>>,
    Pick<ClassificationEvaluatorOptions<EvalRecord>, 'model'> {
  /** Examples in the prompt. */
  readonly examples?: readonly JudgeExample[];
}

/** Lets a model judge rows by a judge's file. Fields of rows have the names of the variables, in camel case or as they are. */
export class JudgeEvaluator extends ClassificationEvaluator<EvalRecord> {
  readonly judge: JudgeFile;
  protected readonly given: JudgeOptions;

  constructor(file: JudgeFile, given: JudgeOptions) {
    const { examples = [], choices, promptTemplate, metadata, ...options } = given;
    if (options.templateFormat !== undefined && !promptTemplate)
      throw new ArgumentError(`The judge ${file.name} has a prompt of its own format; pass promptTemplate, too.`);
    const judge = withChoices(examples.length === 0 ? file : withExamples(file, examples), choices);
    // A prompt of one's own is not a version of the judge.
    const version = promptTemplate ? {} : { version: judge.version };
    super({
      name: judge.name,
      optimizationDirection: judge.direction,
      ...options,
      promptTemplate: promptTemplate ?? judgePrompt(judge, toCamelCase),
      choices: Object.fromEntries(judge.choices.map(({ label, score }) => [label, score])),
      formatValue: fenceEscaper(judge.variables),
      metadata: { ...metadata, judge: file.name, ...version },
    });
    this.judge = judge;
    this.given = given;
  }

  /** The same evaluator with another judge, as with examples or other labels. */
  withJudge(judge: JudgeFile): JudgeEvaluator {
    const { examples: _, choices: __, ...options } = this.given;
    const Type = this.constructor as new (file: JudgeFile, given: JudgeOptions) => JudgeEvaluator;
    const { inputMapping } = this;
    return new Type(judge, { ...options, ...(inputMapping && { inputMapping }) });
  }

  protected override evaluateMapped(input: EvalRecord, options: EvaluateOptions): Promise<EvaluationResult> {
    return super.evaluateMapped(withCamelCase(input, this.judge.variables), options);
  }
}

export const toCamelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The row with its fields in camel case too: files and the server have them with underscores. */
function withCamelCase(input: EvalRecord, variables: readonly string[]): EvalRecord {
  const added = variables.flatMap((name) => {
    const camel = toCamelCase(name);
    return camel !== name && !Object.hasOwn(input, camel) && Object.hasOwn(input, name) ? [[camel, input[name]]] : [];
  });
  return added.length === 0 ? input : { ...input, ...Object.fromEntries(added) };
}

/** The judge with other labels or scores. A label without a description has that of the label at the same place in the file. */
function withChoices(judge: JudgeFile, choices: ChoicesInput | undefined): JudgeFile {
  if (choices === undefined) return judge;
  const entries: readonly (readonly [string, number | readonly [number, string] | undefined])[] = Array.isArray(choices)
    ? (choices as readonly string[]).map((label) => [label, undefined])
    : Object.entries(choices as Readonly<Record<string, number | readonly [number, string]>>);
  const replaced = entries.map(([label, value], index) => {
    const own = judge.choices.find((choice) => choice.label === label) ?? judge.choices[index];
    const [score = own?.score, when = own?.when] = Array.isArray(value) ? value : [value as number | undefined];
    if (score === undefined || when === undefined) {
      throw new ArgumentError(
        `The label '${label}' needs a score and a description, as { '${label}': [1, 'the output …'] }: the judge ${judge.name} has ${judge.choices.length} labels.`,
      );
    }
    return { label, score, when };
  });
  return withVersion({ ...judge, choices: replaced });
}
