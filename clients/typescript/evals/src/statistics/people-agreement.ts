import { type BootstrapOptions, bootstrapStatistic } from './bootstrap.ts';
import { compareCodePoints, type LabelPair } from './confusion.ts';
import { type Estimate, toEstimate } from './interval.ts';
import { cohenKappa } from './kappa.ts';
import { type Alpha, krippendorffAlpha } from './krippendorff-alpha.ts';

/** How much people agree with each other: no judge can be shown to be better. */
export interface PeopleAgreement {
  /** Items with labels of at least two people. */
  readonly itemCount: number;
  /** Mean over items of the share of pairs of people who agree. */
  readonly share: Estimate;
  /** Krippendorff's alpha. */
  readonly alpha: Alpha;
  readonly people: readonly PersonAgreement[];
}

/** How often a person agrees with the majority of the others. Items on which these are tied do not count. */
export interface PersonAgreement {
  readonly person: string;
  readonly count: number;
  readonly share: number | undefined;
  readonly kappa: number | undefined;
}

/** @param items label of each person, by item */
export function peopleAgreement(
  items: readonly Readonly<Record<string, string>>[],
  options: BootstrapOptions = {},
): PeopleAgreement {
  const rated = items.map((labels) => Object.entries(labels)).filter((labels) => labels.length >= 2);
  const shares = Float64Array.from(rated, (labels) => shareOfEqualPairs(labels.map(([, label]) => label)));
  const meanOf = (indices: ArrayLike<number>) => {
    let sum = 0;
    for (let draw = 0; draw < indices.length; draw++) sum += shares[indices[draw] as number] as number;
    return indices.length === 0 ? undefined : sum / indices.length;
  };
  return {
    itemCount: rated.length,
    share: toEstimate(meanOf(Int32Array.from(shares.keys())), bootstrapStatistic(shares.length, meanOf, options)),
    alpha: krippendorffAlpha(
      rated.map((labels) => labels.map(([, label]) => label)),
      options,
    ),
    people: comparePeople(rated),
  };
}

function shareOfEqualPairs(labels: readonly string[]): number {
  let equal = 0;
  for (const count of countLabels(labels).values()) equal += (count * (count - 1)) / 2;
  return equal / ((labels.length * (labels.length - 1)) / 2);
}

function comparePeople(rated: readonly (readonly [string, string][])[]): PersonAgreement[] {
  const pairs = new Map<string, LabelPair[]>();
  for (const labels of rated) {
    for (const [person, label] of labels) {
      const others = majorityOf(labels.filter(([other]) => other !== person).map(([, each]) => each));
      if (others === undefined) continue;
      const known = pairs.get(person);
      if (known) known.push([others, label]);
      else pairs.set(person, [[others, label]]);
    }
  }
  return [...pairs]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([person, ofPerson]) => {
      const { count, agreed, kappa } = cohenKappa(ofPerson);
      return { person, count, share: count === 0 ? undefined : agreed / count, kappa };
    });
}

/** The most frequent label. Undefined when several are. */
export function majorityOf(labels: readonly string[]): string | undefined {
  const counts = [...countLabels(labels)].sort(([, a], [, b]) => b - a);
  return counts[0]?.[1] === counts[1]?.[1] ? undefined : counts[0]?.[0];
}

function countLabels(labels: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}
