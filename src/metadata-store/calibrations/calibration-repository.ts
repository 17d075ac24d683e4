import { type BoundToDatabase, bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';
import { findItemResults, findRunLabels, listItems, listPendingItems, saveEvaluated } from './calibration-items.ts';
import {
  beatCalibration,
  claimCalibration,
  createCalibration,
  deleteCalibration,
  endCalibration,
  findCalibrations,
  listCalibrations,
} from './calibrations.ts';

const FUNCTIONS = {
  create: createCalibration,
  findByRowIds: findCalibrations,
  list: listCalibrations,
  end: endCalibration,
  beat: beatCalibration,
  claim: claimCalibration,
  delete: deleteCalibration,
  listPendingItems,
  saveEvaluated,
  findItemResults,
  listItems,
  findRunLabels,
};

/** The repository of calibrations, each function with its database bound. */
export type CalibrationRepository = BoundToDatabase<typeof FUNCTIONS>;
export const calibrationRepository = (db: Db): CalibrationRepository => bindToDatabase(db, FUNCTIONS);
