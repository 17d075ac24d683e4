/** An answer of the assistant, with the score of its correctness that we gave when we wrote it. */
export interface WrittenAnswer {
  readonly text: string;
  /** 1 correct, 0.5 incomplete, 0 wrong. */
  readonly correctness: 0 | 0.5 | 1;
  /** Reason of a score below 1. */
  readonly reason?: string;
}

/** A question of the sample dataset, with the answers of both experiments. */
export interface SupportCase {
  readonly id: string;
  readonly question: string;
  /** The expected answer. */
  readonly reference: string;
  readonly short: WrittenAnswer;
  readonly handbook: WrittenAnswer;
}

const SCORES = { '+': 1, '~': 0.5, '-': 0 } as const;

/** A case as a row of text: answers begin with `+` (correct), `~` (incomplete) or `-` (wrong), and end with ` # reason`. */
export const toCase = ([id, question, reference, short, handbook]: readonly [
  string,
  string,
  string,
  string,
  string,
]): SupportCase => ({ id, question, reference, short: toAnswer(short), handbook: toAnswer(handbook) });

function toAnswer(row: string): WrittenAnswer {
  const [text = '', reason] = row.slice(2).split(' # ');
  const correctness = SCORES[row[0] as keyof typeof SCORES];
  return { text, correctness, ...(reason !== undefined && { reason }) };
}
