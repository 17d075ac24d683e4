import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose violations are of another impact cost a third of the time of a run. */
const OPTIONS = `{
  resultTypes: ['violations'],
  rules: Object.fromEntries(
    axe._audit.rules
      .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
      .map(({ id }) => [id, { enabled: false }]),
  ),
}`;

/** Returns serious and critical accessibility violations with their elements. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // The page's policy forbids scripts from elsewhere; the test's own comes in beside it.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const { violations } = (await page.evaluate(`axe.run(document, ${OPTIONS})`)) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
