// Screens of the comparison of experiments, for screenshots.mjs: a dataset with three experiments, sent as clients do.
import { seedExperiments } from '../dist/test/web/comparison/seed-experiments.js';

const TOPICS = ['billing', 'shipping', 'returns', 'account'];
const CASES = [
  ['How do I get a refund for order 1042?', 'You can ask for a refund within 30 days in your account under Orders.'],
  ['My parcel has not moved for five days.', 'Please wait two more working days; then we send a new parcel.'],
  ['Can I return shoes that I wore outdoors?', 'Worn shoes can be returned only if the soles show no marks.'],
  ['The mail to reset my password never arrives.', 'Please look into the spam folder. The link is valid for one hour.'],
  ['Why was I charged twice this month?', 'The second charge is a reservation that your bank releases after a week.'],
];

/** Returns entries of the list of screens. */
export async function comparisonScreens(url) {
  let state = 7;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const examples = Array.from({ length: 120 }, (_, index) => ({
    id: `case-${index + 1}`,
    input: { question: CASES[index % 5][0] },
    output: { answer: CASES[index % 5][1] },
    metadata: { topic: TOPICS[index % 4], language: index % 7 === 0 ? 'de' : 'en' },
    ...(index % 5 === 0 ? { split: 'hard' } : index % 3 === 0 ? { split: 'edge cases' } : {}),
  }));
  const experiment = (name, quality, latencyMs, repetitions = 1) => ({
    name,
    repetitions,
    run(index) {
      if (name === 'short-prompt' && index % 29 === 3) return undefined;
      if (name !== 'baseline' && index % 41 === 5)
        return { error: 'RateLimitError: retry after 20 s', latencyMs: 21_000 };
      const isGood = random() < quality - (name === 'short-prompt' && index % 4 === 2 ? 0.35 : 0);
      const answer = CASES[index % 5][1]
        .split(' ')
        .filter(() => random() > (isGood ? 0.08 : 0.4))
        .join(' ');
      const output = index % 9 === 2 ? { answer, confidence: Math.round(random() * 100) / 100 } : { answer };
      const helpfulness = Math.min(1, (isGood ? 0.8 : 0.45) + (random() - 0.5) * 0.3);
      return {
        output,
        latencyMs: latencyMs * (0.6 + random()),
        scores: [
          {
            ...{
              name: 'correctness',
              annotatorKind: 'LLM',
              score: isGood ? 1 : 0,
              label: isGood ? 'correct' : 'wrong',
            },
            explanation: isGood ? 'Agrees with the reference.' : 'Omits the deadline that the reference names.',
          },
          { name: 'helpfulness', annotatorKind: 'LLM', score: Math.round(helpfulness * 100) / 100 },
        ],
      };
    },
  });
  const { datasetId, exampleIds, experimentIds } = await seedExperiments(url, 'compared questions', examples, [
    experiment('baseline', 0.72, 1_400),
    experiment('short-prompt', 0.78, 700, 2),
    experiment('reasoning-large', 0.9, 4_200),
  ]);
  const place = `${url}/datasets/${encodeURIComponent(datasetId)}/compare`;
  const all = `${place}?${new URLSearchParams(experimentIds.map((id) => ['experiment', id]))}`;
  const row = `${all}&sort=position&exampleId=${encodeURIComponent(exampleIds[2])}`;
  return [
    ['comparison-summary', `${all}&view=metrics&groupKey=topic`],
    ['comparison-grid', all],
    ['comparison-diff', `${all}&cells=diff`],
    ['comparison-nothing', `${all}&search=no+such+text`],
    ['comparison-row', row],
    ['comparison-row-diff', `${row}&cells=diff`],
    ['comparison-annotate', `${row}&annotate=scores`],
    ['comparison-blind', `${row}&annotate=blind&seed=1`],
    ['comparison-prefer', `${row}&annotate=pairs&seed=1`, (tab) => tab.keyboard.press('1')],
    ['comparison-list', `${all}&view=list`],
    ['comparison-empty', place, (tab) => tab.getByRole('button', { name: 'Choose an experiment' }).first().click()],
    ['comparison-unknown-view', `${all}&view=pie`],
    ['comparison-missing', `${all}&experiment=RXhwZXJpbWVudDo5OTk5`],
  ];
}
