export type { ConditionOptions, OutcomeKind } from './conditions.ts';
export {
  createFakeModel,
  type FakeAnswer,
  type FakeCounts,
  type FakeModel,
  type FakeModelOptions,
  type FakePrompt,
} from './create-fake-model.ts';
export type { FakeJudgeOptions } from './fake-judge.ts';
export { type FakeModelServer, type FakeModelServerOptions, startFakeModelServer } from './start-fake-model-server.ts';
