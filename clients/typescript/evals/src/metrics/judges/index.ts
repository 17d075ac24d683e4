export { JudgeEvaluator, type JudgeOptions } from './judge-evaluator.ts';
export {
  JUDGE_NAMES,
  type JudgeChoice,
  type JudgeExample,
  type JudgeFile,
  judgePrompt,
  readJudge,
  withExamples,
} from './judge-file.ts';
export * from './judges.ts';
export { PreferenceEvaluator } from './preference-evaluator.ts';
