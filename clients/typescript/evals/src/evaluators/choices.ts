import { ArgumentError, describeType } from '../errors.ts';

/** A label with its score and the case in which it is chosen. */
export interface Choice {
  readonly label: string;
  readonly score: number | undefined;
  readonly description: string | undefined;
}

/** Labels; or labels with scores, or with scores and descriptions. */
export type ChoicesInput =
  | readonly string[]
  | Readonly<Record<string, number | readonly [score: number, description: string]>>;

/** @throws {ArgumentError} for fewer than two, equal or blank labels, and scores that are not finite */
export function toChoices(choices: ChoicesInput): readonly Choice[] {
  if (typeof choices !== 'object' || choices === null)
    throw new ArgumentError(
      `choices is a list of labels, or an object of labels and scores, and not ${describeType(choices)}.`,
    );
  const list = Array.isArray(choices)
    ? (choices as readonly string[]).map(ofLabel)
    : Object.entries(choices).map(ofEntry);
  if (list.length < 2) throw new ArgumentError(`A classification needs at least two choices, and has ${list.length}.`);
  const seen = new Set<string>();
  for (const { label, score } of list) {
    if (typeof label !== 'string' || !label.trim())
      throw new ArgumentError('A label of the choices must be a string that is not blank.');
    const key = normalizeLabel(label);
    if (seen.has(key))
      throw new ArgumentError(
        `The choices contain the label ${JSON.stringify(label)} twice; labels differ in more than case and space.`,
      );
    seen.add(key);
    if (score !== undefined && !Number.isFinite(score))
      throw new ArgumentError(
        `The score of the label ${JSON.stringify(label)} must be a finite number, and is ${String(score)}.`,
      );
  }
  return list;
}

const ofLabel = (label: string): Choice => ({ label, score: undefined, description: undefined });

function ofEntry([label, value]: readonly [string, unknown]): Choice {
  if (Array.isArray(value))
    return { label, score: value[0] as number, description: String(value[1] ?? '') || undefined };
  return { label, score: value as number, description: undefined };
}

const normalizeLabel = (label: string): string => label.trim().toLowerCase();

/** The choice that a label of a model means: its case and the quotes and dot around it do not count. */
export function findChoice(choices: readonly Choice[], label: unknown): Choice | undefined {
  if (typeof label !== 'string') return undefined;
  const exact = choices.find((choice) => choice.label === label);
  if (exact) return exact;
  // A label of the choices may itself end with a dot.
  const keys = [label, label.replace(/^["'`*\s]+|["'`*.\s]+$/g, '')].map(normalizeLabel);
  return choices.find((choice) => keys.includes(normalizeLabel(choice.label)));
}
