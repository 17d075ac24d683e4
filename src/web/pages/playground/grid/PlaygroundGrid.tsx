import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Variant } from '../../../components/prompt/variant/variant.ts';
import { type CaseRowParts, CaseRows, type GridInsets } from './CaseRows.tsx';

interface PlaygroundGridProps extends CaseRowParts {
  /** Row with the keyboard. */
  readonly activeRow: number;
  /** Panel at the left of the editors. */
  readonly corner: ReactNode;
  readonly renderHead: (variant: Variant, index: number) => ReactNode;
  readonly renderEditor: (variant: Variant) => ReactNode;
  readonly renderFoot: (variant: Variant) => ReactNode;
  /** Shown at the foot of the cases column. */
  readonly caseFoot: ReactNode;
  /** Below the last row. */
  readonly rest: ReactNode;
}

const NO_INSETS: GridInsets = { headPx: 0, topPx: 0, footPx: 0 };

/** Variants as columns and cases as rows, in one scrolling area. Heads and figures stay visible. */
export function PlaygroundGrid(props: PlaygroundGridProps) {
  const { variants, cases, activeRow, corner, renderHead, renderEditor, renderCase, renderCell, renderFoot } = props;
  const [area, setArea] = useState<HTMLDivElement | null>(null);
  const heads = useRef<HTMLDivElement>(null);
  const editors = useRef<HTMLDivElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  const [insets, setInsets] = useState(NO_INSETS);
  useLayoutEffect(() => {
    const parts = [heads.current!, editors.current!, foot.current!] as const;
    const observer = new ResizeObserver(() => {
      const [headPx, editorPx, footPx] = parts.map(({ offsetHeight }) => offsetHeight) as [number, number, number];
      setInsets({ headPx, topPx: headPx + editorPx, footPx });
    });
    for (const part of parts) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={setArea}
      className="pg-grid"
      role="grid"
      aria-label="Variants and cases"
      aria-rowcount={cases.length + 3}
      style={{ '--n': variants.length, scrollPaddingBlock: `${insets.headPx}px ${insets.footPx}px` } as CSSProperties}
    >
      <div className="pg-top" role="rowgroup">
        <div ref={heads} className="pg-row pg-heads" role="row">
          <div className="pg-cell pg-case pg-head" role="columnheader">
            Cases
          </div>
          {variants.map((variant, index) => (
            <div key={variant.id} className="pg-cell pg-head" role="columnheader" data-variant={variant.id}>
              {renderHead(variant, index)}
            </div>
          ))}
        </div>
        <div ref={editors} className="pg-row pg-editors" role="row">
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
      <CaseRows
        variants={variants}
        cases={cases}
        activeRow={activeRow}
        renderCase={renderCase}
        renderCell={renderCell}
        area={area}
        insets={insets}
      />
      <div role="row">
        <div role="gridcell">{props.rest}</div>
      </div>
      <div ref={foot} className="pg-row pg-foot" role="row">
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
