export { type BootstrapOptions, bootstrapInterval, bootstrapStatistic } from './bootstrap.ts';
export { type ConfusionMatrix, confusionMatrix, type LabelPair } from './confusion.ts';
export {
  type Estimate,
  type Interval,
  jeffreysInterval,
  pairedShareInterval,
  studentInterval,
  wilsonInterval,
} from './interval.ts';
export { type CohenKappa, cohenKappa, type Kappa, type WeightedKappaOptions, weightedKappa } from './kappa.ts';
export { type Alpha, type AlphaOptions, krippendorffAlpha, type MeasurementLevel } from './krippendorff-alpha.ts';
export { type LabelQuality, labelQuality } from './label-quality.ts';
export { labelsToHalve } from './labels-to-halve.ts';
export {
  type DifferenceMethod,
  type DifferenceVerdict,
  describeDifference,
  holmCorrection,
  midPSignTest,
  type PairedDifference,
  signTest,
} from './paired-difference.ts';
export { type PeopleAgreement, type PersonAgreement, peopleAgreement } from './people-agreement.ts';
export { type SeededRandom, seededRandom } from './random.ts';
export { StatisticsError } from './statistics-error.ts';
