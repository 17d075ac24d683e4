import { ArgumentError } from '../../errors.ts';
import { JudgeEvaluator, type JudgeOptions } from './judge-evaluator.ts';
import { type JudgeFile, readJudge } from './judge-file.ts';
import { PreferenceEvaluator } from './preference-evaluator.ts';

/** An evaluator of a judge's file, as of one that was improved. */
export const createJudgeEvaluator = (judge: JudgeFile, options: JudgeOptions): JudgeEvaluator =>
  judge.swap ? new PreferenceEvaluator(options, judge) : new JudgeEvaluator(judge, options);

const judge =
  (name: string) =>
  (options: JudgeOptions): JudgeEvaluator =>
    createJudgeEvaluator(readJudge(name), options);

/** Fields `input`, `output`: whether the output addresses the request. */
export const createAnswerRelevanceEvaluator = judge('answer_relevance');
/** Fields `input`, `output`: whether code does what was requested. */
export const createCodeCorrectnessEvaluator = judge('code_correctness');
/** Field `conversation`: whether everything that was asked for got dealt with. */
export const createCompletenessEvaluator = judge('completeness');
/** Fields `input`, `output`: whether an answer contains only what is needed. */
export const createConcisenessEvaluator = judge('conciseness');
/** Fields `input`, `context`: whether the context is free of passages that do not help. */
export const createContextPrecisionEvaluator = judge('context_precision');
/** Fields `input`, `reference`, `context`: whether the context has what the reference answer needs. */
export const createContextRecallEvaluator = judge('context_recall');
/** Fields `input`, `output`: whether an answer is right, without a reference. */
export const createCorrectnessEvaluator = judge('correctness');
/** Fields `input`, `documentText`: whether a document helps to answer. */
export const createDocumentRelevanceEvaluator = judge('document_relevance');
/** Fields `input`, `output`, `context`: whether the context supports every claim. */
export const createFaithfulnessEvaluator = judge('faithfulness');
/** Fields `input`, `output`: whether the last reply has claims that the conversation does not support. Lower is better. */
export const createHallucinationEvaluator = judge('hallucination');
/** Fields `input`, `output`: whether an answer follows all instructions. */
export const createInstructionFollowingEvaluator = judge('instruction_following');
/** Field `conversation`: whether personal data occurs. Lower is better. */
export const createPiiDetectionEvaluator = judge('pii_detection');
/** Fields `input`, `first`, `second`: which of two answers is better. The model is asked in both orders. */
export const createPreferenceEvaluator = judge('preference');
/** Fields `input`, `reference`, `output`: whether an answer says the same as the reference answer. */
export const createQaCorrectnessEvaluator = judge('qa_correctness');
/** Fields `input`, `output`: whether the model declined to answer. */
export const createRefusalEvaluator = judge('refusal');
/** Fields `input`, `context`: whether what was retrieved serves the request. */
export const createRetrievalRelevanceEvaluator = judge('retrieval_relevance');
/** Fields `input`, `reference`, `output`: whether a query gives the same result as the reference query. */
export const createSqlEquivalenceEvaluator = judge('sql_equivalence');
/** Fields `input`, `output`: whether a summary is faithful and has what matters. */
export const createSummaryQualityEvaluator = judge('summary_quality');
/** Fields `input`, `availableTools`, `toolSelection`: whether a tool is called rightly. */
export const createToolInvocationEvaluator = judge('tool_invocation');
/** Fields `input`, `toolCall`, `toolResult`, `output`: whether the result of a tool is used rightly. */
export const createToolResponseHandlingEvaluator = judge('tool_response_handling');
/** Fields `input`, `availableTools`, `toolSelection`: whether the right tool is chosen, or rightly none. */
export const createToolSelectionEvaluator = judge('tool_selection');
/** Field `text`: whether a text is hateful, demeaning, abusive or threatening. Lower is better. */
export const createToxicityEvaluator = judge('toxicity');
/** Fields `input`, `output`: whether a translation says the same. */
export const createTranslationEvaluator = judge('translation');
/** Fields `conversation`, `userMessage`: whether the user has trouble with what the assistant did. Lower is better. */
export const createUserFrictionEvaluator = judge('user_friction');

export interface CriteriaOptions extends JudgeOptions {
  /** What an answer must meet, in your own words. Without it, rows have a field `criteria`. */
  readonly criteria?: string;
}

/** Fields `input`, `output`: whether an answer meets criteria in your own words. */
export function createCriteriaEvaluator({ criteria, ...options }: CriteriaOptions): JudgeEvaluator {
  const file = readJudge('criteria');
  if (criteria === undefined) return createJudgeEvaluator(file, options);
  if (criteria.trim() === '') throw new ArgumentError('Expected criteria in words, received a blank text.');
  const inputMapping = { ...options.inputMapping, criteria: () => criteria };
  return createJudgeEvaluator(file, { ...options, inputMapping, metadata: { ...options.metadata, criteria } });
}
