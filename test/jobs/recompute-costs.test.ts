import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLog } from '../../src/base/log.ts';
import type { CostRecomputation } from '../../src/model/models/cost-recomputation.ts';
import { startRecomputingCosts } from '../../src/jobs/recompute-costs.ts';

test('a recomputation processes all spans in ranges, and continues after an error at the same range', async () => {
  const ranges: string[] = [];
  let open: CostRecomputation | undefined;
  let failures = 1;
  const job = startRecomputingCosts({
    findOpen: async () => open,
    async advance(_rowId, nextSpanRowId, lastSpanRowId) {
      open = nextSpanRowId > lastSpanRowId ? undefined : { ...open!, nextSpanRowId, lastSpanRowId };
    },
    async recompute({ projectId, firstRowId, lastRowId }) {
      if (firstRowId === 11 && failures-- > 0) throw new Error('no room');
      ranges.push(`${projectId} ${firstRowId}-${lastRowId}`);
    },
    newestSpanRowId: async () => 25,
    log: silentLog,
    rowCount: 10,
    retryMs: 1,
  });

  open = { rowId: 1, projectId: 3, nextSpanRowId: 1, lastSpanRowId: null, createdAt: new Date(), endedAt: null };
  job.notify();
  while (open) {
    await turn();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }

  assert.deepEqual(ranges, ['3 1-10', '3 11-20', '3 21-30']);
  job.close();
});
