import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type ReactNode, useEffect } from 'react';
import type { Variant } from '../../../components/prompt/variant/variant.ts';
import type { Case } from '../state/cases.ts';

/** What a row of the grid consists of. */
export interface CaseRowParts {
  readonly variants: readonly Variant[];
  readonly cases: readonly Case[];
  readonly renderCase: (each: Case, index: number) => ReactNode;
  readonly renderCell: (variant: Variant, each: Case, index: number, isTall: boolean) => ReactNode;
}

/** Heights of what surrounds the rows, in pixels. */
export interface GridInsets {
  /** Heads, which cover the top of the area. */
  readonly headPx: number;
  /** Heads and editors, which are above the first row. */
  readonly topPx: number;
  /** Figures, which cover the bottom of the area. */
  readonly footPx: number;
}

interface CaseRowsProps extends CaseRowParts {
  /** Row with the keyboard. */
  readonly activeRow: number;
  /** The scrolling area. Null before the first frame. */
  readonly area: HTMLDivElement | null;
  readonly insets: GridInsets;
}

/** Up to this number of rows, each is as high as its content. More rows have one height, so that any number scrolls. */
const TALL_ROW_COUNT_MAX = 20;
const ROW_PX = 148;
const OVERSCAN = 4;

/**
 * Rows of the cases, of which the visible ones exist. They are a component of their own, because it renders with every frame of
 * a scroll: the heads and the editors above them do not.
 */
export function CaseRows({ activeRow, area, insets, ...parts }: CaseRowsProps) {
  const { cases } = parts;
  const isTall = cases.length <= TALL_ROW_COUNT_MAX;
  const virtualizer = useVirtualizer({
    count: isTall ? 0 : cases.length,
    getScrollElement: () => area,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: insets.topPx,
    scrollPaddingStart: insets.headPx,
    scrollPaddingEnd: insets.footPx,
    useFlushSync: false,
  });
  useEffect(() => {
    if (activeRow < 0 || !area) return;
    const reveal = () => {
      if (isTall) area.querySelector(`[data-row="${activeRow}"]`)?.scrollIntoView({ block: 'nearest' });
      else virtualizer.scrollToIndex(activeRow, { align: 'auto' });
    };
    reveal();
    // The pane of annotations takes a part of the area, and grows while it loads. Its output stays visible.
    let heightPx = area.clientHeight;
    const observer = new ResizeObserver(() => {
      if (area.clientHeight < heightPx) reveal();
      heightPx = area.clientHeight;
    });
    observer.observe(area);
    return () => observer.disconnect();
  }, [activeRow, isTall, virtualizer, area]);
  const { variants, renderCase, renderCell } = parts;
  const row = (index: number, offsetPx?: number) => (
    <CaseRow
      key={cases[index]!.id}
      {...{ variants, renderCase, renderCell, index, isTall, offsetPx }}
      each={cases[index]!}
      isActive={index === activeRow}
    />
  );
  if (isTall) return <div role="rowgroup">{cases.map((_, index) => row(index))}</div>;
  return (
    <div role="rowgroup" className="pg-rows" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => row(index, start - insets.topPx))}
    </div>
  );
}

interface CaseRowProps extends Omit<CaseRowParts, 'cases'> {
  readonly each: Case;
  readonly index: number;
  readonly isTall: boolean;
  readonly isActive: boolean;
  /** From the first row. Undefined for rows in the flow of the page. */
  readonly offsetPx: number | undefined;
}

const CaseRow = memo(({ variants, each, index, isTall, isActive, offsetPx, renderCase, renderCell }: CaseRowProps) => (
  <div
    className="pg-row pg-case-row"
    role="row"
    data-row={index}
    data-tall={isTall}
    data-active={isActive}
    style={offsetPx === undefined ? undefined : placeAt(offsetPx)}
  >
    <div className="pg-cell pg-case" role="rowheader">
      {renderCase(each, index)}
    </div>
    {variants.map((variant) => (
      <div
        key={variant.id}
        className="pg-cell"
        role="gridcell"
        data-variant={variant.id}
        data-case={`Case ${index + 1}`}
      >
        {renderCell(variant, each, index, isTall)}
      </div>
    ))}
  </div>
));

const placeAt = (offsetPx: number): CSSProperties => ({ height: ROW_PX, transform: `translateY(${offsetPx}px)` });
