import type { ReactNode } from 'react';
import { FailureBoundary } from '../../components/Failure.tsx';
import { FigureCard } from './FigureCard.tsx';
import { ListCard } from './ListCard.tsx';
import { type Panel, titleOf } from './panel.ts';
import { SeriesCard } from './SeriesCard.tsx';
import type { PanelScope } from './use-panel.ts';

const CARDS = { figure: FigureCard, series: SeriesCard, list: ListCard } as const;

interface PanelCardProps {
  readonly scope: PanelScope;
  readonly panel: Panel;
  readonly actions?: ReactNode;
}

/** A panel of any kind. */
export function PanelCard(props: PanelCardProps) {
  const Card = CARDS[props.panel.kind];
  return (
    <FailureBoundary name={titleOf(props.panel)}>
      <Card {...props} />
    </FailureBoundary>
  );
}
