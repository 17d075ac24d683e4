/** Who decided. */
export type ScoreKind = 'llm' | 'code' | 'human';

/** Which scores are better. */
export type ScoreDirection = 'maximize' | 'minimize' | 'neutral';

/** What an evaluator says of one row. Absent fields are undefined. */
export interface EvaluationResult {
  /** A finite number. */
  readonly score?: number;
  readonly label?: string;
  readonly explanation?: string;
  /** JSON, such as the model, its tokens and its cost. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A result with the name and properties of its evaluator: what files and tables contain, in all languages alike. */
export interface Score extends EvaluationResult {
  readonly name: string;
  readonly kind: ScoreKind;
  readonly direction: ScoreDirection;
}

/** The properties of a score that its evaluator decides. */
export interface ScoreOwner {
  readonly name: string;
  readonly kind: 'CODE' | 'LLM';
  readonly optimizationDirection: 'MAXIMIZE' | 'MINIMIZE' | 'NONE';
}

const DIRECTIONS = { MAXIMIZE: 'maximize', MINIMIZE: 'minimize', NONE: 'neutral' } as const;

/** Adds name, kind and direction of an evaluator to its result. */
export const toScore = ({ name, kind, optimizationDirection }: ScoreOwner, result: EvaluationResult): Score => ({
  name,
  ...result,
  kind: kind === 'LLM' ? 'llm' : 'code',
  direction: DIRECTIONS[optimizationDirection],
});
