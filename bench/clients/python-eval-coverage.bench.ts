/**
 * Do the 95 % intervals of the evaluation library hold the truth, and do its bias checks find a bias of ten points? Simulated
 * studies by seed; `COUNT` is their number (1,000), and the judges differ in quality, rate, length bias and sample sizes.
 * Needs `.venv`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON = join(ROOT, '.venv/bin/python');
const STUDIES = process.env.SMOKE ? 2 : Number(process.env.COUNT ?? 1_000);

const BIAS_CHECKS = ['order', 'labels reversed', 'formatting', 'instructions', 'length', 'own family'];

type Row = Readonly<Record<string, number>>;

function simulate(): { readonly coverage: Row[]; readonly comparison: Row[]; readonly power: Row[] } {
  const script = join(ROOT, 'bench/clients/python_eval_coverage.py');
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-B', script, String(STUDIES)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, PYTHONPATH: join(ROOT, 'clients/python/evals') },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const percent = (share: number | undefined): string => `${(100 * (share ?? Number.NaN)).toFixed(1)} %`;

if (existsSync(PYTHON)) {
  const { coverage, comparison, power } = simulate();
  console.log(`Coverage of 95 % intervals of the true rate, ${STUDIES} studies each (last row: beyond the claim)`);
  console.table(
    coverage.map((row) => ({
      'sensitivity, specificity': `${row.sensitivity}, ${row.specificity}`,
      'rate, length bias': `${row.prevalence}, ${row.length_bias}`,
      rows: `${row.labelled} + ${row.unlabelled}`,
      naive: percent(row.naive),
      'Rogan–Gladen': percent(row.rogan_gladen),
      'prediction-powered': percent(row.prediction_powered),
      widths: `${row.rogan_gladen_width?.toFixed(3)}, ${row.prediction_powered_width?.toFixed(3)}`,
      kappa: percent(row.kappa),
      F1: percent(row.f1),
      refused: row.refused,
    })),
  );
  console.log('Coverage of 95 % intervals of the difference of two systems');
  console.table(
    comparison.map((row) => ({
      'sensitivity, specificity': `${row.sensitivity}, ${row.specificity}`,
      rates: `${row.rate_a}, ${row.rate_b}`,
      rows: `${row.labelled} + ${row.sessions} × ${row.rows_per_session}`,
      corrected: percent(row.corrected),
      'of the judge': percent(row.naive),
      'without sessions': percent(row['without sessions']),
    })),
  );
  console.log(
    'A bias of ten points at n = 400: share of studies that find it, alone and among six checks. Best: by the best unbiased test, among six',
  );
  for (const wavers of [true, false]) {
    console.log(wavers ? 'Noise that differs each time' : 'Noise that is the same each time');
    console.table(
      power
        .filter((row) => Boolean(row.wavers) === wavers)
        .map((row) => ({
          noise: percent(row.noise),
          'false alarms of six': percent(row['false alarms']),
          ...Object.fromEntries(
            BIAS_CHECKS.map((name) => [name, `${percent(row[name])}, ${percent(row[`${name}, of six`])}`]),
          ),
          ...(!wavers && {
            'best, first four': percent(row['best paired']),
            'best, length and family': row['best stratified'] === undefined ? '' : percent(row['best stratified']),
          }),
        })),
    );
  }
} else {
  console.log('There is no .venv; run scripts/python-clients.sh first.');
}
