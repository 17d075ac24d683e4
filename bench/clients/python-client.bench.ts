/**
 * How do our Python client and the public one compare on the same server: import, frames of spans, uploads of frames, and
 * experiments without work? Each measurement is a process of its own. `COUNT` divides the sizes, `WHAT` names the measurements
 * (`frame,dataset`). Needs `.venv`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withServer } from '../whole-server/bench-server.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON = join(ROOT, '.venv/bin/python');
const SCRIPT = join(ROOT, 'bench/clients/python_client.py');
const DIVISOR = process.env.SMOKE ? 2_000 : Number(process.env.COUNT ?? 1);
const SIZES = { import: 1, frame: 100_000, dataset: 100_000, experiment: 10_000 } as const;
const CHOSEN = process.env.WHAT?.split(',') ?? Object.keys(SIZES);

interface Measured {
  readonly seconds: number;
  readonly mib: number;
}

function measure(url: string, outbox: string, client: string, what: string, count: number, name: string): Measured {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-B', SCRIPT, client, what, String(count), name], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      SERVER_URL: url,
      SPANDREL_OUTBOX_DIR: outbox,
      PYTHONPATH: join(ROOT, 'clients/python/client'),
    },
  });
  if (status !== 0) throw new Error(`${client} ${what}: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured;
}

if (existsSync(PYTHON)) {
  await withServer(async ({ url }) => {
    const outbox = await mkdtemp(join(tmpdir(), 'bench-outbox-'));
    try {
      const rows = [];
      const name = `python client ${Date.now()}`;
      for (const [what, size] of Object.entries(SIZES)) {
        if (!CHOSEN.includes(what)) continue;
        const count = Math.max(1, Math.ceil(size / DIVISOR));
        if (what === 'frame') measure(url, outbox, 'ours', 'fill', count, name);
        const ours = measure(url, outbox, 'ours', what, count, name);
        const theirs = measure(url, outbox, 'public', what, count, name);
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
      await rm(outbox, { recursive: true, force: true });
    }
  });
} else {
  console.log('There is no .venv; run scripts/python-clients.sh first.');
}
