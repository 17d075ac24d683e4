import { DiffTable } from '../../../components/diff/DiffTable.tsx';
import type { ValueDiff } from '../../../components/diff/diff-json.ts';
import type { SideLabels } from '../../../components/diff/sides.ts';
import { Card } from '../../../components/values/Card.tsx';
import type { PromptDifferencesData } from '../generated/prompt.ts';

type Difference = PromptDifferencesData['comparePromptVersions'][number];

interface DifferenceTableProps {
  readonly title: string;
  readonly differences: readonly Difference[];
  readonly labels: SideLabels;
}

/** Differences that the server found, by JSON path. It aligns the items of lists. */
export function DifferenceTable({ title, differences, labels }: DifferenceTableProps) {
  return (
    <Card title={title}>
      <DiffTable diffs={differences.map(toValueDiff)} labels={labels} />
    </Card>
  );
}

const toValueDiff = ({ path, kind, before, after }: Difference): ValueDiff => ({
  path,
  left: kind === 'ADDED' ? undefined : toText(before),
  right: kind === 'REMOVED' ? undefined : toText(after),
});

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));
