import type { OptimizationDirection } from '../../model/annotations/annotation-config.ts';
import { type JudgeFile, judgePrompt } from '../../model/evaluators/judge-file.ts';
import type { ChatTemplate } from '../../model/prompts/prompt-template.ts';
import type { Ports } from '../ports.ts';

/** A template for an LLM evaluator: a prompt in Mustache, and the labels that a model chooses from. */
export interface JudgeTemplate {
  readonly name: string;
  readonly description: string;
  readonly optimizationDirection: OptimizationDirection;
  readonly template: ChatTemplate;
  /** Scores by label. */
  readonly choices: Readonly<Record<string, number>>;
  /** Groups of the template. */
  readonly labels: readonly string[];
}

/** The group of templates that are listed first. */
const PROMOTED = 'promoted_dataset_evaluator';

const toTemplate = (judge: JudgeFile): JudgeTemplate => ({
  name: judge.name,
  description: judge.description,
  optimizationDirection: judge.direction,
  template: judgePrompt(judge),
  choices: Object.fromEntries(judge.choices.map(({ label, score }) => [label, score])),
  labels: judge.isPromoted ? [PROMOTED] : [],
});

/** The templates of a group, or all, by name. A judge that compares two answers is absent: an evaluator is asked once per target. */
export async function listJudgeTemplates(
  { judges }: Pick<Ports, 'judges'>,
  groups: readonly string[] | undefined,
): Promise<readonly JudgeTemplate[]> {
  return judges
    .filter(({ swap }) => swap === undefined)
    .map(toTemplate)
    .filter(({ labels }) => !groups || labels.some((label) => groups.includes(label)));
}
