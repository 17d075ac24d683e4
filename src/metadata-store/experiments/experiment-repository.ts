import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { type ComparisonReads, openComparisonReads } from './compared-experiment-cache.ts';
import {
  findComparedRuns,
  findComparedTexts,
  findExamplesOfSplits,
  findMetadataGroups,
  findMetadataKeys,
  findSplitNames,
  searchComparedExamples,
} from './compared-rows.ts';
import { deleteStaleExperiment, setEphemeral } from './ephemeral-experiments.ts';
import { listErrors } from './experiment-errors.ts';
import { groupExperiments, listMetadataKeys } from './experiment-groups.ts';
import { addNote, deleteNote, findNotes, findNotesOfExperiments, updateNote } from './experiment-notes.ts';
import {
  countExperimentsOfDatasets,
  findBaselines,
  findComparedExamples,
  findExperimentIds,
  findExperimentsByRowIds,
  findProjectsOfExperiments,
  findScoreRanges,
  findSequenceNumbers,
  findSplitsOfExperiments,
} from './experiment-queries.ts';
import {
  evaluationsOfRuns,
  findEvaluations,
  listEvaluationNames,
  listIncompleteEvaluations,
  listIncompleteRuns,
  listRunRecords,
  listRuns,
} from './experiment-runs.ts';
import { summarizeExperiments } from './experiment-summaries.ts';
import {
  createExperiment,
  deleteExperiment,
  findExperiment,
  findExperimentTags,
  findProjectNames,
  findTagsOfExperiments,
  listExperiments,
  listExperimentTags,
  tagExperiment,
  untagExperiment,
  updateExperiment,
} from './experiments.ts';
import {
  countRunPreferences,
  deleteRunAnnotation,
  deleteRunPreference,
  findPersonAnnotations,
  findRunPreferences,
  setRunAnnotation,
  setRunPreference,
} from './run-annotations.ts';
import {
  findNewestOutput,
  findRunIds,
  findRunsByRowIds,
  findRunsOfExamples,
  findTraceIds,
  measureRuns,
} from './run-queries.ts';
import { openRunWrites, type RunWrites } from './write-runs.ts';

const FUNCTIONS = {
  list: listExperiments,
  find: findExperiment,
  create: createExperiment,
  update: updateExperiment,
  delete: deleteExperiment,
  setEphemeral,
  deleteStale: deleteStaleExperiment,
  findProjectNames,
  listTags: listExperimentTags,
  findTagsOfExperiments,
  findTags: findExperimentTags,
  tag: tagExperiment,
  untag: untagExperiment,
  listRuns,
  listIncompleteRuns,
  listIncompleteEvaluations,
  listRunRecords,
  listEvaluationNames,
  findIds: findExperimentIds,
  findByRowIds: findExperimentsByRowIds,
  countOfDatasets: countExperimentsOfDatasets,
  findSequenceNumbers,
  findBaselines,
  findProjectsOfExperiments,
  findSplitsOfExperiments,
  findComparedExamples,
  findScoreRanges,
  summarize: summarizeExperiments,
  groupByMetadata: groupExperiments,
  listMetadataKeys,
  listErrors,
  findNotesOfExperiments,
  findNotes,
  addNote,
  updateNote,
  deleteNote,
  findRunIds,
  findNewestOutput,
  findRunsByRowIds,
  findRunsOfExamples,
  findTraceIds,
  measureRuns,
  evaluationsOfRuns,
  findEvaluations,
  findComparedTexts,
  findComparedRuns,
  findExamplesOfSplits,
  findSplitNames,
  searchComparedExamples,
  findMetadataKeys,
  findMetadataGroups,
  setRunAnnotation,
  deleteRunAnnotation,
  deleteRunPreference,
  setRunPreference,
  findPersonAnnotations,
  findRunPreferences,
  countRunPreferences,
};

/** The repository of experiments, each function with its database bound. */
export type ExperimentRepository = BoundToDatabase<typeof FUNCTIONS> & RunWrites & ComparisonReads;
export const experimentRepository = (db: Db): ExperimentRepository => ({
  ...bindToDatabase(db, FUNCTIONS),
  ...openRunWrites(db),
  ...openComparisonReads(db),
});
