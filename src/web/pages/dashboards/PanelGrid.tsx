import { type KeyboardEvent, useRef, useState } from 'react';
import { Icon } from '../../components/Icon.tsx';
import { Link } from '../../router/Link.tsx';
import { InView } from '../metrics/InView.tsx';
import { PanelCard } from './PanelCard.tsx';
import { movePanel, type Panel, titleOf } from './panel.ts';
import { spansPath } from './panel-links.ts';
import type { PanelScope } from './use-panel.ts';

export interface PanelEdits {
  readonly onChange: (panels: readonly Panel[]) => void;
  readonly onEdit: (panel: Panel) => void;
  readonly onDuplicate: (panel: Panel) => void;
  readonly onDelete: (panel: Panel) => void;
}

interface PanelGridProps {
  readonly scope: PanelScope;
  readonly panels: readonly Panel[];
  /** Absent: the panels are only shown. */
  readonly edits?: PanelEdits | undefined;
}

const COLUMN_COUNT_MAX = 4;
/** Keys of the handle. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -1],
  ['ArrowUp', -1],
  ['ArrowRight', 1],
  ['ArrowDown', 1],
]);
const SIZES: ReadonlyMap<string, number> = new Map([
  ['+', 1],
  ['=', 1],
  ['-', -1],
]);

/** Panels in a grid of four columns. While it is edited, a handle moves a panel by dragging and by arrow keys. */
export function PanelGrid({ scope, panels, edits }: PanelGridProps) {
  const [dragged, setDragged] = useState<string>();
  const [announcement, setAnnouncement] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const focusHandle = (id: string) =>
    requestAnimationFrame(() =>
      frame.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`)?.focus(),
    );
  const move = (panel: Panel, to: number) => {
    if (!edits || to < 0 || to >= panels.length || panels[to] === panel) return;
    edits.onChange(movePanel(panels, panel.id, to));
    setAnnouncement(`${titleOf(panel)}: place ${to + 1} of ${panels.length}`);
    focusHandle(panel.id);
  };
  const resize = (panel: Panel, by: number) => {
    const columns = Math.max(1, Math.min(COLUMN_COUNT_MAX, panel.columns + by));
    if (!edits || columns === panel.columns) return;
    edits.onChange(panels.map((each) => (each === panel ? { ...each, columns } : each)));
    setAnnouncement(`${titleOf(panel)}: ${columns} of ${COLUMN_COUNT_MAX} columns wide`);
  };
  const press = (event: KeyboardEvent, panel: Panel, index: number) => {
    const step = STEPS.get(event.key);
    const size = SIZES.get(event.key);
    if (step !== undefined) move(panel, index + step);
    else if (size !== undefined) resize(panel, size);
    else return;
    event.preventDefault();
  };
  return (
    <div className="panel-grid" ref={frame}>
      {panels.map((panel, index) => (
        <div
          key={panel.id}
          className="panel-cell"
          role="group"
          aria-label={`Panel ${index + 1} of ${panels.length}`}
          data-columns={panel.columns}
          data-dragged={dragged === panel.id}
          onDragOver={(event) => {
            if (dragged === undefined) return;
            event.preventDefault();
            const from = panels.find(({ id }) => id === dragged);
            if (from && from !== panel) move(from, index);
          }}
          onDrop={(event) => {
            event.preventDefault();
            setDragged(undefined);
          }}
        >
          <InView panelCount={1}>
            <PanelCard
              scope={scope}
              panel={panel}
              actions={
                edits ? (
                  <span className="panel-tools">
                    <button
                      type="button"
                      className="button bare small icon-only panel-handle"
                      draggable
                      data-handle={panel.id}
                      aria-label={`Move ${titleOf(panel)}`}
                      title="Drag to move. Arrow keys move, + and − change the width."
                      onKeyDown={(event) => press(event, panel, index)}
                      onDragStart={(event) => {
                        event.dataTransfer.effectAllowed = 'move';
                        event.dataTransfer.setData('text/plain', titleOf(panel));
                        setDragged(panel.id);
                      }}
                      onDragEnd={() => setDragged(undefined)}
                    >
                      <Icon name="handle" size={14} />
                    </button>
                    <Tool
                      icon="minus"
                      label="Narrower"
                      panel={panel}
                      isOff={panel.columns === 1}
                      run={() => resize(panel, -1)}
                    />
                    <Tool
                      icon="plus"
                      label="Wider"
                      panel={panel}
                      isOff={panel.columns === COLUMN_COUNT_MAX}
                      run={() => resize(panel, 1)}
                    />
                    <Tool icon="edit" label="Edit" panel={panel} run={() => edits.onEdit(panel)} />
                    <Tool icon="copy" label="Duplicate" panel={panel} run={() => edits.onDuplicate(panel)} />
                    <Tool icon="trash" label="Delete" panel={panel} run={() => edits.onDelete(panel)} />
                  </span>
                ) : (
                  <Link
                    className="button bare small icon-only panel-open"
                    to={spansPath(scope.projectId, panel)}
                    aria-label={`Open the ${panel.metric === 'traces' ? 'traces' : 'spans'} of ${titleOf(panel)}`}
                    title={panel.metric === 'traces' ? 'Open these traces' : 'Open these spans'}
                  >
                    <Icon name="list" size={13} />
                  </Link>
                )
              }
            />
          </InView>
        </div>
      ))}
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}

interface ToolProps {
  readonly icon: 'minus' | 'plus' | 'edit' | 'copy' | 'trash';
  readonly label: string;
  readonly panel: Panel;
  readonly isOff?: boolean;
  readonly run: () => void;
}

function Tool({ icon, label, panel, isOff = false, run }: ToolProps) {
  return (
    <button
      type="button"
      className="button bare small icon-only"
      aria-label={`${label}: ${titleOf(panel)}`}
      title={label}
      disabled={isOff}
      onClick={run}
    >
      <Icon name={icon} size={13} />
    </button>
  );
}
