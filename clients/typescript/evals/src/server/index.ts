export { chooseSpans, type EvaluateSpansOptions, evaluateSpans, type SpansSummary } from './evaluate-spans.ts';
export { type ConfigChange, fitAnnotationConfig } from './fit-annotation-config.ts';
export { type JudgeTracer, openJudgeTracer } from './judge-tracer.ts';
export { readSpanRows, type SpanRow, type SpanRowAnnotation, type SpanSelection, toExampleRows } from './span-rows.ts';
export {
  type AttachJudgeOptions,
  attachJudge,
  type ServerClient,
  type StoreJudgeOptions,
  storeJudge,
} from './store-judge.ts';
