// Made by scripts/generate-web-types.mjs from ../calibration.graphql.

import type { Operation } from '../../../../data/operation.ts';

export type CalibrationJudgeData = { readonly node: { readonly __typename: 'DatasetEvaluator'; readonly id: string; readonly name: string; readonly dataset: { readonly id: string; readonly name: string }; readonly inputMapping: { readonly literalMapping: unknown; readonly pathMapping: unknown }; readonly outputConfigs: readonly ({ readonly __typename: 'CategoricalAnnotationConfig'; readonly name: string } | { readonly __typename: 'ContinuousAnnotationConfig'; readonly name: string } | { readonly __typename: 'FreeformAnnotationConfig'; readonly name: string })[]; readonly evaluator: { readonly __typename: 'CodeEvaluator'; readonly id: string; readonly inputSchema: unknown | null } | { readonly __typename: 'LLMEvaluator'; readonly id: string; readonly prompt: { readonly id: string; readonly name: string; readonly promptVersions: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly sequenceNumber: number; readonly modelName: string } })[] } }; readonly promptVersion: { readonly id: string; readonly content: unknown } } | { readonly __typename: 'BuiltInEvaluator'; readonly id: string; readonly inputSchema: unknown | null } } | { readonly __typename: 'another' } };

export type CalibrationJudgeVariables = { readonly id: string };

export const calibrationJudge: Operation<CalibrationJudgeData, CalibrationJudgeVariables> = {
  name: 'calibrationJudge',
  text: "query calibrationJudge($id:ID!){node(id:$id){__typename ...on DatasetEvaluator{id name dataset{id name}inputMapping{literalMapping pathMapping}outputConfigs{__typename ...on CategoricalAnnotationConfig{name}...on ContinuousAnnotationConfig{name}...on FreeformAnnotationConfig{name}}evaluator{__typename ...on LLMEvaluator{id prompt{id name promptVersions(first:50){edges{node{id sequenceNumber modelName}}}}promptVersion{id content}}...on BuiltInEvaluator{id inputSchema}...on CodeEvaluator{id inputSchema}}}}}",
};

export type CalibrationListData = { readonly node: { readonly __typename: 'DatasetEvaluator'; readonly calibrations: { readonly edges: readonly ({ readonly node: { readonly id: string; readonly outputName: string; readonly annotationName: string; readonly target: 'SPAN' | 'TRACE' | 'SESSION' | null; readonly heldOutShare: number; readonly status: 'RUNNING' | 'COMPLETED' | 'STOPPED' | 'ERROR'; readonly reason: string | null; readonly createdAt: string; readonly promptVersion: { readonly id: string; readonly sequenceNumber: number; readonly modelName: string } | null; readonly project: { readonly id: string; readonly name: string } | null; readonly dataset: { readonly id: string; readonly name: string } | null; readonly user: { readonly username: string } | null; readonly all: { readonly evaluatedCount: number; readonly labels: { readonly share: number; readonly kappa: number | null } | null; readonly scores: { readonly correlation: number | null } | null }; readonly progress: { readonly targetCount: number; readonly doneCount: number } } })[] } } | { readonly __typename: 'another' } };

export type CalibrationListVariables = { readonly id: string };

export const calibrationList: Operation<CalibrationListData, CalibrationListVariables> = {
  name: 'calibrationList',
  text: "query calibrationList($id:ID!){node(id:$id){__typename ...on DatasetEvaluator{calibrations(first:50){edges{node{...CalibrationHead all{evaluatedCount labels{share kappa}scores{correlation}}progress{targetCount doneCount}}}}}}}fragment CalibrationHead on Calibration{id outputName annotationName target heldOutShare status reason createdAt promptVersion{id sequenceNumber modelName}project{id name}dataset{id name}user{username}}",
};

export type CalibrationReportData = { readonly node: { readonly __typename: 'Calibration'; readonly id: string; readonly outputName: string; readonly annotationName: string; readonly target: 'SPAN' | 'TRACE' | 'SESSION' | null; readonly heldOutShare: number; readonly status: 'RUNNING' | 'COMPLETED' | 'STOPPED' | 'ERROR'; readonly reason: string | null; readonly createdAt: string; readonly promptVersion: { readonly id: string; readonly sequenceNumber: number; readonly modelName: string } | null; readonly project: { readonly id: string; readonly name: string } | null; readonly dataset: { readonly id: string; readonly name: string } | null; readonly user: { readonly username: string } | null; readonly progress: { readonly targetCount: number; readonly doneCount: number; readonly errorCount: number; readonly promptTokens: number; readonly completionTokens: number; readonly cost: number | null; readonly meanLatencyMs: number | null; readonly remainingSeconds: number | null }; readonly all: { readonly targetCount: number; readonly evaluatedCount: number; readonly errorCount: number; readonly labels: { readonly count: number; readonly agreedCount: number; readonly share: number; readonly shareInterval: { readonly low: number; readonly high: number }; readonly kappa: number | null; readonly kappaInterval: { readonly low: number; readonly high: number } | null; readonly labels: readonly ({ readonly label: string; readonly humanCount: number; readonly judgeCount: number; readonly agreedCount: number; readonly precision: number | null; readonly recall: number | null; readonly f1: number | null })[]; readonly matrix: readonly (readonly (number)[])[] } | null; readonly scores: { readonly count: number; readonly correlation: number | null; readonly meanDifference: number; readonly meanAbsoluteDifference: number } | null }; readonly tuning: { readonly targetCount: number; readonly evaluatedCount: number; readonly errorCount: number; readonly labels: { readonly count: number; readonly agreedCount: number; readonly share: number; readonly shareInterval: { readonly low: number; readonly high: number }; readonly kappa: number | null; readonly kappaInterval: { readonly low: number; readonly high: number } | null; readonly labels: readonly ({ readonly label: string; readonly humanCount: number; readonly judgeCount: number; readonly agreedCount: number; readonly precision: number | null; readonly recall: number | null; readonly f1: number | null })[]; readonly matrix: readonly (readonly (number)[])[] } | null; readonly scores: { readonly count: number; readonly correlation: number | null; readonly meanDifference: number; readonly meanAbsoluteDifference: number } | null }; readonly heldOut: { readonly targetCount: number; readonly evaluatedCount: number; readonly errorCount: number; readonly labels: { readonly count: number; readonly agreedCount: number; readonly share: number; readonly shareInterval: { readonly low: number; readonly high: number }; readonly kappa: number | null; readonly kappaInterval: { readonly low: number; readonly high: number } | null; readonly labels: readonly ({ readonly label: string; readonly humanCount: number; readonly judgeCount: number; readonly agreedCount: number; readonly precision: number | null; readonly recall: number | null; readonly f1: number | null })[]; readonly matrix: readonly (readonly (number)[])[] } | null; readonly scores: { readonly count: number; readonly correlation: number | null; readonly meanDifference: number; readonly meanAbsoluteDifference: number } | null } } | { readonly __typename: 'another' } };

export type CalibrationReportVariables = { readonly id: string };

export const calibrationReport: Operation<CalibrationReportData, CalibrationReportVariables> = {
  name: 'calibrationReport',
  text: "query calibrationReport($id:ID!){node(id:$id){__typename ...on Calibration{...CalibrationHead progress{targetCount doneCount errorCount promptTokens completionTokens cost meanLatencyMs remainingSeconds}all{...CalibrationMeasureFields}tuning{...CalibrationMeasureFields}heldOut{...CalibrationMeasureFields}}}}fragment CalibrationHead on Calibration{id outputName annotationName target heldOutShare status reason createdAt promptVersion{id sequenceNumber modelName}project{id name}dataset{id name}user{username}}fragment CalibrationMeasureFields on CalibrationMeasures{targetCount evaluatedCount errorCount labels{count agreedCount share shareInterval{low high}kappa kappaInterval{low high}labels{label humanCount judgeCount agreedCount precision recall f1}matrix}scores{count correlation meanDifference meanAbsoluteDifference}}",
};

export type CalibrationItemsData = { readonly node: { readonly __typename: 'Calibration'; readonly items: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly isHeldOut: boolean; readonly humanLabel: string | null; readonly humanScore: number | null; readonly humanCount: number; readonly isDone: boolean; readonly isDisagreement: boolean; readonly judgeLabel: string | null; readonly judgeScore: number | null; readonly explanation: string | null; readonly error: string | null; readonly trace: { readonly id: string; readonly traceId: string; readonly projectId: string } | null; readonly target: { readonly __typename: 'Span'; readonly id: string; readonly name: string; readonly spanId: string; readonly context: { readonly traceId: string }; readonly project: { readonly id: string } } | { readonly __typename: 'Trace'; readonly id: string; readonly traceId: string; readonly projectId: string } | { readonly __typename: 'ProjectSession'; readonly id: string; readonly sessionId: string; readonly project: { readonly id: string } } | { readonly __typename: 'ExperimentRun'; readonly id: string; readonly trace: { readonly traceId: string; readonly projectId: string } | null; readonly experimentId: string; readonly output: unknown | null } | null } })[] } } | { readonly __typename: 'another' } };

export type CalibrationItemsVariables = { readonly id: string; readonly first: number; readonly after?: string | null; readonly filter?: { readonly isHeldOut?: boolean | null; readonly isDisagreement?: boolean | null; readonly hasError?: boolean | null; readonly humanLabel?: string | null; readonly judgeLabel?: string | null } | null };

export const calibrationItems: Operation<CalibrationItemsData, CalibrationItemsVariables> = {
  name: 'calibrationItems',
  text: "query calibrationItems($id:ID!$first:Int!$after:String$filter:CalibrationItemFilter){node(id:$id){__typename ...on Calibration{items(first:$first after:$after filter:$filter){pageInfo{hasNextPage endCursor}edges{node{id isHeldOut humanLabel humanScore humanCount isDone isDisagreement judgeLabel judgeScore explanation error trace{id traceId projectId}target{__typename ...on Span{id name spanId context{traceId}project{id}}...on Trace{id traceId projectId}...on ProjectSession{id sessionId project{id}}...on ExperimentRun{id trace{traceId projectId}experimentId output}}}}}}}}",
};

export type CalibrationLabelsData = { readonly calibrationLabels: { readonly targetCount: number; readonly heldOutCount: number; readonly scoreCount: number; readonly labels: readonly ({ readonly label: string; readonly count: number })[] } };

export type CalibrationLabelsVariables = { readonly source: { readonly project?: { readonly projectId: string; readonly target?: 'SPAN' | 'TRACE' | 'SESSION' } | null; readonly datasetId?: string | null }; readonly annotationName: string; readonly heldOutShare: number };

export const calibrationLabels: Operation<CalibrationLabelsData, CalibrationLabelsVariables> = {
  name: 'calibrationLabels',
  text: "query calibrationLabels($source:CalibrationSourceInput!$annotationName:String!$heldOutShare:Float!){calibrationLabels(source:$source annotationName:$annotationName heldOutShare:$heldOutShare){targetCount heldOutCount scoreCount labels{label count}}}",
};

export type CalibrationProjectsData = { readonly projects: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }; readonly edges: readonly ({ readonly node: { readonly id: string; readonly name: string } })[] } };

export type CalibrationProjectsVariables = { readonly after?: string | null };

export const calibrationProjects: Operation<CalibrationProjectsData, CalibrationProjectsVariables> = {
  name: 'calibrationProjects',
  text: "query calibrationProjects($after:String){projects(first:200 after:$after sort:{col:endTime dir:desc}){pageInfo{hasNextPage endCursor}edges{node{id name}}}}",
};

export type ComparedCalibrationsData = { readonly compareCalibrations: { readonly commonCount: number; readonly columns: readonly ({ readonly fixedCount: number; readonly brokenCount: number; readonly calibration: { readonly id: string; readonly outputName: string; readonly annotationName: string; readonly target: 'SPAN' | 'TRACE' | 'SESSION' | null; readonly heldOutShare: number; readonly status: 'RUNNING' | 'COMPLETED' | 'STOPPED' | 'ERROR'; readonly reason: string | null; readonly createdAt: string; readonly promptVersion: { readonly id: string; readonly sequenceNumber: number; readonly modelName: string } | null; readonly project: { readonly id: string; readonly name: string } | null; readonly dataset: { readonly id: string; readonly name: string } | null; readonly user: { readonly username: string } | null }; readonly all: { readonly targetCount: number; readonly evaluatedCount: number; readonly errorCount: number; readonly labels: { readonly count: number; readonly agreedCount: number; readonly share: number; readonly shareInterval: { readonly low: number; readonly high: number }; readonly kappa: number | null; readonly kappaInterval: { readonly low: number; readonly high: number } | null; readonly labels: readonly ({ readonly label: string; readonly humanCount: number; readonly judgeCount: number; readonly agreedCount: number; readonly precision: number | null; readonly recall: number | null; readonly f1: number | null })[]; readonly matrix: readonly (readonly (number)[])[] } | null; readonly scores: { readonly count: number; readonly correlation: number | null; readonly meanDifference: number; readonly meanAbsoluteDifference: number } | null }; readonly tuning: { readonly targetCount: number; readonly evaluatedCount: number; readonly errorCount: number; readonly labels: { readonly count: number; readonly agreedCount: number; readonly share: number; readonly shareInterval: { readonly low: number; readonly high: number }; readonly kappa: number | null; readonly kappaInterval: { readonly low: number; readonly high: number } | null; readonly labels: readonly ({ readonly label: string; readonly humanCount: number; readonly judgeCount: number; readonly agreedCount: number; readonly precision: number | null; readonly recall: number | null; readonly f1: number | null })[]; readonly matrix: readonly (readonly (number)[])[] } | null; readonly scores: { readonly count: number; readonly correlation: number | null; readonly meanDifference: number; readonly meanAbsoluteDifference: number } | null }; readonly heldOut: { readonly targetCount: number; readonly evaluatedCount: number; readonly errorCount: number; readonly labels: { readonly count: number; readonly agreedCount: number; readonly share: number; readonly shareInterval: { readonly low: number; readonly high: number }; readonly kappa: number | null; readonly kappaInterval: { readonly low: number; readonly high: number } | null; readonly labels: readonly ({ readonly label: string; readonly humanCount: number; readonly judgeCount: number; readonly agreedCount: number; readonly precision: number | null; readonly recall: number | null; readonly f1: number | null })[]; readonly matrix: readonly (readonly (number)[])[] } | null; readonly scores: { readonly count: number; readonly correlation: number | null; readonly meanDifference: number; readonly meanAbsoluteDifference: number } | null } })[] } };

export type ComparedCalibrationsVariables = { readonly ids: readonly (string)[] };

export const comparedCalibrations: Operation<ComparedCalibrationsData, ComparedCalibrationsVariables> = {
  name: 'comparedCalibrations',
  text: "query comparedCalibrations($ids:[ID!]!){compareCalibrations(calibrationIds:$ids){commonCount columns{fixedCount brokenCount calibration{...CalibrationHead}all{...CalibrationMeasureFields}tuning{...CalibrationMeasureFields}heldOut{...CalibrationMeasureFields}}}}fragment CalibrationHead on Calibration{id outputName annotationName target heldOutShare status reason createdAt promptVersion{id sequenceNumber modelName}project{id name}dataset{id name}user{username}}fragment CalibrationMeasureFields on CalibrationMeasures{targetCount evaluatedCount errorCount labels{count agreedCount share shareInterval{low high}kappa kappaInterval{low high}labels{label humanCount judgeCount agreedCount precision recall f1}matrix}scores{count correlation meanDifference meanAbsoluteDifference}}",
};

export type StartCalibrationData = { readonly startCalibration: { readonly calibration: { readonly id: string } } };

export type StartCalibrationVariables = { readonly input: { readonly datasetEvaluatorId: string; readonly promptVersionId?: string | null; readonly inputMapping?: { readonly literalMapping: unknown; readonly pathMapping: unknown } | null; readonly outputName?: string | null; readonly annotationName?: string | null; readonly source: { readonly project?: { readonly projectId: string; readonly target?: 'SPAN' | 'TRACE' | 'SESSION' } | null; readonly datasetId?: string | null }; readonly heldOutShare?: number; readonly concurrency?: number; readonly maxTargets?: number | null; readonly credentials?: readonly ({ readonly envVarName: string; readonly value: unknown })[] | null } };

export const startCalibration: Operation<StartCalibrationData, StartCalibrationVariables> = {
  name: 'startCalibration',
  text: "mutation startCalibration($input:StartCalibrationInput!){startCalibration(input:$input){calibration{id}}}",
  access: 'member',
};

export type ResumeCalibrationData = { readonly resumeCalibration: { readonly calibration: { readonly id: string } } };

export type ResumeCalibrationVariables = { readonly input: { readonly calibrationId: string; readonly credentials?: readonly ({ readonly envVarName: string; readonly value: unknown })[] | null } };

export const resumeCalibration: Operation<ResumeCalibrationData, ResumeCalibrationVariables> = {
  name: 'resumeCalibration',
  text: "mutation resumeCalibration($input:ResumeCalibrationInput!){resumeCalibration(input:$input){calibration{id}}}",
  access: 'member',
};

export type StopCalibrationData = { readonly stopCalibration: { readonly calibration: { readonly id: string } } };

export type StopCalibrationVariables = { readonly id: string };

export const stopCalibration: Operation<StopCalibrationData, StopCalibrationVariables> = {
  name: 'stopCalibration',
  text: "mutation stopCalibration($id:ID!){stopCalibration(calibrationId:$id){calibration{id}}}",
  access: 'member',
};

export type DeleteCalibrationData = { readonly deleteCalibration: { readonly calibrationId: string } };

export type DeleteCalibrationVariables = { readonly id: string };

export const deleteCalibration: Operation<DeleteCalibrationData, DeleteCalibrationVariables> = {
  name: 'deleteCalibration',
  text: "mutation deleteCalibration($id:ID!){deleteCalibration(calibrationId:$id){calibrationId}}",
  access: 'member',
};
