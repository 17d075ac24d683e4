/**
 * How long do the code metrics of the TypeScript package take for pairs of texts and JSON values, beside the usual packages?
 * These are no dependencies: those that are installed are measured.
 *
 *   npm install --no-save fastest-levenshtein js-rouge microdiff
 */
import { jsonDistance } from '../../clients/typescript/evals/src/metrics/json/json-distance.ts';
import { bleu } from '../../clients/typescript/evals/src/metrics/text/bleu.ts';
import { chrf } from '../../clients/typescript/evals/src/metrics/text/chrf.ts';
import { levenshteinDistance } from '../../clients/typescript/evals/src/metrics/text/levenshtein.ts';
import { rougeL } from '../../clients/typescript/evals/src/metrics/text/rouge.ts';
import { SeededRandom } from '../../test/fixtures/seeded-random.ts';
import { printTable, size } from '../whole-server/measure.ts';

const PAIR_COUNT = size('PAIRS', { smoke: 50, full: 100_000 });
const ROUND_COUNT = size('ROUNDS', { smoke: 1, full: 3 });
/** Pairs that are measured in turns: all of them at a time would not fit the caches, and runs of peers would differ. */
const CHUNK = 1_000;

type Measure<Value> = (first: Value, second: Value) => unknown;

const random = new SeededRandom(1);
const VOCABULARY = Array.from({ length: 2_000 }, () => {
  const length = 2 + random.below(9);
  return Array.from({ length }, () => String.fromCharCode(97 + random.below(26))).join('');
});

/** A text, and the same with about every tenth word changed. */
function makePair(wordCount: number): [string, string] {
  const words = Array.from({ length: wordCount }, () => random.pick(VOCABULARY));
  const changed = words.flatMap((word) => {
    if (!random.chance(0.1)) return [word];
    return random.chance(0.5) ? [] : [word, random.pick(VOCABULARY)];
  });
  return [words.join(' '), changed.join(' ')];
}

function makeJsonPair(): [unknown, unknown] {
  const make = (isChanged: boolean) => ({
    name: `order ${isChanged ? 1 : 2}`,
    items: Array.from({ length: 5 }, (_, index) => ({ id: index, price: index * 1.5, tags: ['a', 'b'] })),
    customer: { address: { city: 'Ulm', zip: isChanged ? '89073' : 89073 }, isNew: true },
  });
  return [make(false), make(true)];
}

async function findPeer<Value>(
  name: string,
  pick: (module: never) => Measure<Value>,
): Promise<Measure<Value> | undefined> {
  try {
    return pick((await import(name)) as never);
  } catch {
    return undefined;
  }
}

/** Fastest round of all pairs, in microseconds a pair. Rounds of ours and of the peer alternate. */
function measure<Value>(pairs: readonly (readonly [Value, Value])[], measures: readonly Measure<Value>[]): number[] {
  const best = measures.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUND_COUNT; round++) {
    const spent = measures.map(() => 0);
    for (let done = 0; done < PAIR_COUNT; done += CHUNK) {
      for (const [index, compute] of measures.entries()) {
        const startedAt = performance.now();
        for (let pair = 0; pair < Math.min(CHUNK, PAIR_COUNT); pair++) {
          const [first, second] = pairs[(done + pair) % pairs.length]!;
          compute(first, second);
        }
        spent[index] = spent[index]! + performance.now() - startedAt;
      }
    }
    for (const [index, time] of spent.entries()) best[index] = Math.min(best[index]!, (time * 1_000) / PAIR_COUNT);
  }
  return best;
}

const rows: Record<string, string>[] = [];
function compare<Value>(
  title: string,
  pairs: readonly (readonly [Value, Value])[],
  ours: Measure<Value>,
  peer?: { readonly name: string; readonly measure: Measure<Value> | undefined },
): void {
  const measures = peer?.measure ? [ours, peer.measure] : [ours];
  const [own, other] = measure(pairs, measures);
  rows.push({
    metric: title,
    'ours, µs a pair': own!.toFixed(2),
    peer: peer?.measure ? peer.name : '',
    'peer, µs a pair': other?.toFixed(2) ?? '',
    'times as fast': other === undefined ? '' : (other / own!).toFixed(2),
  });
}

const fastest = {
  name: 'fastest-levenshtein',
  measure: await findPeer<string>('fastest-levenshtein', ({ distance }: { distance: Measure<string> }) => distance),
};
const rouge = {
  name: 'js-rouge',
  measure: await findPeer<string>('js-rouge', ({ l }: { l: Measure<string> }) => l),
};
const microdiff = {
  name: 'microdiff',
  measure: await findPeer<unknown>('microdiff', ({ default: diff }: { default: Measure<unknown> }) => diff),
};

const makePairs = (count: number, words: number) =>
  Array.from({ length: Math.min(count, PAIR_COUNT) }, () => makePair(words));
const [labels, sentences, answers] = [makePairs(10_000, 2), makePairs(10_000, 15), makePairs(1_000, 100)];
const different = sentences.map(([first], index) => [first, sentences.at(index - 1)![1]] as const);
const values = Array.from({ length: Math.min(1_000, PAIR_COUNT) }, makeJsonPair);
compare('Levenshtein, 2 words', labels, levenshteinDistance, fastest);
compare('Levenshtein, 15 words', sentences, levenshteinDistance, fastest);
compare('Levenshtein, 15 other words', different, levenshteinDistance, fastest);
compare('Levenshtein, 100 words', answers, levenshteinDistance, fastest);
compare('ROUGE-L, 15 words', sentences, rougeL, rouge);
compare('ROUGE-L, 100 words', answers, rougeL, rouge);
compare('BLEU, 15 words', sentences, bleu);
compare('chrF, 15 words', sentences, chrf);
compare('JSON distance, 33 values', values, jsonDistance, microdiff);
printTable(`Code metrics over ${PAIR_COUNT} pairs`, rows);
