export { type ChooseExamplesOptions, chooseExamples } from './choose-examples.ts';
export { compareVersions, VersionComparison, type VersionResult } from './compare-versions.ts';
export { type AttachJudgeOptions, attachJudge, type StoreJudgeOptions, storeJudge } from './store-judge.ts';
