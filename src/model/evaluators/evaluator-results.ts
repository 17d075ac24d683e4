/** What an evaluator gave in the newest experiments of its dataset. */
export interface EvaluatorResults {
  /** Experiments with results. */
  readonly experimentCount: number;
  readonly scoreCount: number;
  /** Mean over all scores. Null without scores. */
  readonly meanScore: number | null;
  readonly labelCount: number;
  readonly errorCount: number;
}

/** An annotation of a person and the result of an evaluator under the same name, for the same run. */
export interface AnnotationPair {
  readonly person: { readonly label: string | null; readonly score: number | null };
  readonly evaluator: { readonly label: string | null; readonly score: number | null };
}

/** Agreement of an evaluator with people. Null where no run has both labels, or both scores. */
export interface EvaluatorAgreement {
  readonly labels: {
    readonly count: number;
    readonly agreedCount: number;
    readonly share: number;
    readonly kappa: number | null;
  } | null;
  readonly scores: {
    readonly count: number;
    readonly correlation: number | null;
    readonly meanDifference: number;
  } | null;
  /** Plain sentences. */
  readonly sentence: string;
}
