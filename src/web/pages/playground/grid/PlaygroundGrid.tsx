import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Variant } from '../../../components/prompt/variant/variant.ts';
import type { Case } from '../state/cases.ts';

interface PlaygroundGridProps {
  readonly variants: readonly Variant[];
  readonly cases: readonly Case[];
  /** Row with the keyboard. */
  readonly activeRow: number;
  /** Panel at the left of the editors. */
  readonly corner: ReactNode;
  readonly renderHead: (variant: Variant, index: number) => ReactNode;
  readonly renderEditor: (variant: Variant) => ReactNode;
  readonly renderCase: (each: Case, index: number) => ReactNode;
  readonly renderCell: (variant: Variant, each: Case, index: number, isTall: boolean) => ReactNode;
  readonly renderFoot: (variant: Variant) => ReactNode;
  /** Shown at the foot of the cases column. */
  readonly caseFoot: ReactNode;
  /** Below the last row. */
  readonly rest: ReactNode;
}

/** Up to this number of rows, each is as high as its content. More rows have one height, so that any number scrolls. */
export const TALL_ROW_COUNT_MAX = 20;
const ROW_PX = 148;
const OVERSCAN = 4;

/** Variants as columns and cases as rows, in one scrolling area. Heads and figures stay visible. */
export function PlaygroundGrid(props: PlaygroundGridProps) {
  const { variants, cases, activeRow, corner, renderHead, renderEditor, renderCase, renderCell, renderFoot } = props;
  const area = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const [topPx, setTopPx] = useState(0);
  const isTall = cases.length <= TALL_ROW_COUNT_MAX;
  useLayoutEffect(() => {
    const element = top.current!;
    const observer = new ResizeObserver(() => setTopPx(element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useVirtualizer({
    count: isTall ? 0 : cases.length,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: topPx,
    useFlushSync: false,
  });
  useEffect(() => {
    if (activeRow < 0) return;
    if (isTall) area.current?.querySelector(`[data-row="${activeRow}"]`)?.scrollIntoView({ block: 'nearest' });
    else virtualizer.scrollToIndex(activeRow, { align: 'auto' });
  }, [activeRow, isTall, virtualizer]);
  const row = (index: number, style?: CSSProperties) => {
    const each = cases[index]!;
    return (
      <div
        key={each.id}
        className="pg-row pg-case-row"
        role="row"
        data-row={index}
        data-tall={isTall}
        data-active={index === activeRow}
        style={style}
      >
        <div className="pg-cell pg-case" role="rowheader">
          {renderCase(each, index)}
        </div>
        {variants.map((variant) => (
          <div key={variant.id} className="pg-cell" role="gridcell" data-variant={variant.id}>
            {renderCell(variant, each, index, isTall)}
          </div>
        ))}
      </div>
    );
  };
  return (
    <div
      ref={area}
      className="pg-grid"
      role="grid"
      aria-label="Variants and cases"
      aria-rowcount={cases.length + 3}
      style={{ '--n': variants.length } as CSSProperties}
    >
      <div ref={top} className="pg-top" role="rowgroup">
        <div className="pg-row pg-heads" role="row">
          <div className="pg-cell pg-case pg-head" role="columnheader">
            Cases
          </div>
          {variants.map((variant, index) => (
            <div key={variant.id} className="pg-cell pg-head" role="columnheader" data-variant={variant.id}>
              {renderHead(variant, index)}
            </div>
          ))}
        </div>
        <div className="pg-row pg-editors" role="row">
          <div className="pg-cell pg-case" role="gridcell">
            {corner}
          </div>
          {variants.map((variant) => (
            <div key={variant.id} className="pg-cell" role="gridcell" data-variant={variant.id}>
              {renderEditor(variant)}
            </div>
          ))}
        </div>
      </div>
      {isTall ? (
        <div role="rowgroup">{cases.map((_, index) => row(index))}</div>
      ) : (
        <div role="rowgroup" className="pg-rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer
            .getVirtualItems()
            .map(({ index, start }) => row(index, { height: ROW_PX, transform: `translateY(${start - topPx}px)` }))}
        </div>
      )}
      <div role="row">
        <div role="gridcell">{props.rest}</div>
      </div>
      <div className="pg-row pg-foot" role="row">
        <div className="pg-cell pg-case" role="rowheader">
          {props.caseFoot}
        </div>
        {variants.map((variant) => (
          <div key={variant.id} className="pg-cell" role="gridcell">
            {renderFoot(variant)}
          </div>
        ))}
      </div>
    </div>
  );
}
