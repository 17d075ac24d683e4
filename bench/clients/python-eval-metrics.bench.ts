/**
 * How much processor time do metrics without a model take over 100,000 pairs, beside the usual packages? These are measured where they are
 * installed (`.venv/bin/pip install rapidfuzz rouge-score deepdiff`), over a tenth of the pairs. Needs `.venv`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON = process.env.PYTHON ?? join(ROOT, '.venv/bin/python');
const PAIRS = process.env.SMOKE ? 20 : Number(process.env.COUNT ?? 100_000);

interface Row {
  readonly metric: string;
  readonly seconds: number;
  readonly other?: string;
  readonly other_seconds?: number;
}

if (existsSync(PYTHON)) {
  const script = join(ROOT, 'bench/clients/python_eval_metrics.py');
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-B', script, String(PAIRS)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, PYTHONPATH: join(ROOT, 'clients/python/evals') },
  });
  if (status !== 0) throw new Error(stderr);
  const { rows, has_native_levenshtein: isNative } = JSON.parse(stdout) as {
    readonly rows: readonly Row[];
    readonly has_native_levenshtein: boolean;
  };
  console.log(`Levenshtein distances use ${isNative ? 'an installed compiled package' : 'pure Python'}.`);
  console.table(
    rows.map(({ metric, seconds, other, other_seconds: otherSeconds }) => ({
      metric,
      pairs: PAIRS,
      'ours s': seconds.toFixed(2),
      other: other ?? '',
      'other s': otherSeconds?.toFixed(2) ?? '',
      times: otherSeconds === undefined ? '' : (otherSeconds / seconds).toFixed(2),
    })),
  );
} else {
  console.log('There is no .venv; run scripts/python-clients.sh first.');
}
