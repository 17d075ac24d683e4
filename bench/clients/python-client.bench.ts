/**
 * How do our Python client and the public one compare on the same server: import, frames of spans, uploads of frames, and
 * experiments without work? Each measurement is a process of its own. `COUNT` divides the sizes, `WHAT` names the measurements
 * (`frame,dataset`). Needs `.venv`.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withServer } from '../whole-server/bench-server.ts';
import { openPythonRuns, PYTHON } from './python-runs.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIVISOR = process.env.SMOKE ? 2_000 : Number(process.env.COUNT ?? 1);
const SIZES = { import: 1, frame: 100_000, dataset: 100_000, experiment: 10_000 } as const;
const CHOSEN = process.env.WHAT?.split(',') ?? Object.keys(SIZES);

interface Measured {
  readonly seconds: number;
  readonly mib: number;
}

if (existsSync(PYTHON)) {
  await withServer(async ({ url }) => {
    const outbox = await mkdtemp(join(tmpdir(), 'bench-outbox-'));
    const python = openPythonRuns('python_client.py', {
      env: { SERVER_URL: url, SPANDREL_OUTBOX_DIR: outbox, PYTHONPATH: join(ROOT, 'clients/python/client') },
      modules: ['spandrel_client', 'phoenix.client', 'pandas', 'httpx'],
    });
    const measure = async (...args: readonly (string | number)[]) => (await python.measure<Measured>({ args }))!;
    try {
      const rows = [];
      const name = `python client ${Date.now()}`;
      for (const [what, size] of Object.entries(SIZES)) {
        if (!CHOSEN.includes(what)) continue;
        const count = Math.max(1, Math.ceil(size / DIVISOR));
        if (what === 'frame') await measure('ours', 'fill', count, name);
        const ours = await measure('ours', what, count, name);
        const theirs = await measure('public', what, count, name);
        rows.push({
          what,
          count,
          'ours s': ours.seconds.toFixed(3),
          'public s': theirs.seconds.toFixed(3),
          times: (theirs.seconds / ours.seconds).toFixed(1),
          'ours MiB': ours.mib.toFixed(0),
          'public MiB': theirs.mib.toFixed(0),
        });
      }
      console.table(rows);
    } finally {
      python.close();
      await rm(outbox, { recursive: true, force: true });
    }
  });
} else {
  console.log('There is no .venv; run scripts/python-clients.sh first.');
}
