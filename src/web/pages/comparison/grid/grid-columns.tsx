import type { Column } from '../../../components/table/column.ts';
import type { Content } from '../address.ts';
import type { Compared, ComparedRow, Measure } from '../compared.ts';
import { ExperimentName } from '../ExperimentMark.tsx';
import { CellText } from './CellText.tsx';
import { RunCell } from './RunCell.tsx';

interface GridColumns {
  readonly compared: readonly Compared[];
  readonly measures: ReadonlyMap<string, Measure>;
  readonly content: Content;
  /** Index of the experiment that the keys H and L have chosen. */
  readonly currentIndex: number;
}

/** Columns of the grid: the example, then one column per experiment. */
export function gridColumns({
  compared,
  measures,
  content,
  currentIndex,
}: GridColumns): readonly Column<ComparedRow>[] {
  const cellOf = (row: ComparedRow, id: string) => row.cells.find(({ experimentId }) => experimentId === id);
  const [base] = compared;
  return [
    {
      id: 'example',
      label: 'Example',
      width: 112,
      cell: ({ position, externalId, splits }) => (
        <div className="compared-example">
          <strong title={externalId ?? undefined}>{externalId ?? `#${position + 1}`}</strong>
          {splits.map((split) => (
            <span key={split} className="muted clip" title={split}>
              {split}
            </span>
          ))}
        </div>
      ),
    },
    {
      id: 'input',
      label: 'Input',
      width: 172,
      grow: 1,
      cell: ({ input }) => (
        <div className="cell-text is-tall">
          <CellText of={input} content={content === 'json' ? 'json' : 'text'} />
        </div>
      ),
    },
    {
      id: 'reference',
      label: 'Reference',
      width: 152,
      grow: 1,
      cell: ({ reference }) => (
        <div className="cell-text is-tall">
          <CellText of={reference} content={content === 'json' ? 'json' : 'text'} />
        </div>
      ),
    },
    ...compared.map(
      (each, index): Column<ComparedRow> => ({
        id: `run:${each.id}`,
        label: each.name,
        head: <ExperimentName of={each} />,
        width: 260,
        grow: 2,
        cell: (row) => (
          <RunCell
            cell={cellOf(row, each.id)}
            base={each === base ? undefined : cellOf(row, base!.id)}
            content={content}
            measures={measures}
            isCurrent={index === currentIndex}
          />
        ),
      }),
    ),
  ];
}
