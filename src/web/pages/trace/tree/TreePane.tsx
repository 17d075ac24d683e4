import { type KeyboardEvent, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { useStableCallback } from '../../../components/table/use-stable-callback.ts';
import { useRowHeight, useVisibleRows } from '../../../components/table/use-visible-rows.ts';
import { formatCount, formatLatency } from '../../../format/numbers.ts';
import { setPreference, usePreferences } from '../../../preferences/preferences.ts';
import { useHotkeys } from '../../../shell/use-hotkeys.ts';
import type { PaneProps } from '../pane-props.ts';
import { CollapseMenu } from './CollapseMenu.tsx';
import { findCriticalPath } from './critical-path.ts';
import type { Expansion, SpanTree, TreeRow } from './span-tree.ts';
import { TreeLine } from './TreeLine.tsx';
import { useGrowth } from './use-growth.ts';
import './tree.css';

const INITIAL_EXPANSION: Expansion = { closed: new Set(), openGroups: new Set() };

/** Tree of all spans with bars on one time axis. Only visible lines are rendered. */
export function TreePane({ tree, costs, selected, onSelect }: PaneProps) {
  const { density, showsTreeFigures, showsCriticalPath } = usePreferences();
  // The path is computed after the lines are rendered.
  const hasPath = useDeferredValue(showsCriticalPath, false);
  const path = useMemo(() => (hasPath ? findCriticalPath(tree) : undefined), [tree, hasPath]);
  const rowHeight = useRowHeight(density);
  const [expansion, setExpansion] = useState<Expansion>(() => tree.reveal(selected, INITIAL_EXPANSION));
  const [searchText, setSearchText] = useState('');
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const rows = useMemo(() => tree.rows(expansion), [tree, expansion]);
  useGrowth({ tree, rows, selected, rowHeight, scroller, setExpansion });
  const { first, end } = useVisibleRows(scroller, rows.length, rowHeight);
  const hits = useMemo(() => findByName(tree, searchText), [tree, searchText]);

  const go = (index: number | undefined) => {
    if (index === undefined) return;
    setExpansion((current) => tree.reveal(index, current));
    onSelect(index);
  };
  // The selected span is scrolled into view.
  const selectedRowId = tree.rowId(selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: expanding other rows, or new spans, must not scroll
  useEffect(() => {
    const at = rows.findIndex((row) => !row.group && row.index === selected);
    scrollInto(scroller.current, at, rowHeight);
  }, [selectedRowId, rowHeight]);
  useEffect(() => {
    scroller.current?.focus({ preventScroll: true });
  }, []);

  const { errors } = tree.skeleton;
  useHotkeys({
    ']': () => go(errors.find((index) => index > selected) ?? errors[0]),
    '[': () => go(errors.findLast((index) => index < selected) ?? errors.at(-1)),
    '/': () => field.current?.focus(),
  });
  const nextHit = (isBack: boolean) =>
    go(
      isBack
        ? (hits.findLast((index) => index < selected) ?? hits.at(-1))
        : (hits.find((index) => index > selected) ?? hits[0]),
    );
  const toggle = useCallback((row: TreeRow) => setExpansion((current) => toggled(tree, current, row)), [tree]);
  const onLine = useStableCallback((row: TreeRow) => (row.group ? toggle(row) : onSelect(row.index)));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const at = rows.findIndex((row) => !row.group && row.index === selected);
    const row = rows[at];
    const select = (to: number) => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
      if (next?.group && !next.isOpen) toggle(next);
      if (next) onSelect(next.index);
    };
    if (event.key === 'ArrowDown') select(at + 1);
    else if (event.key === 'ArrowUp') {
      const above = rows[at - 1];
      select(above?.group ? at - 2 : at - 1);
    } else if (event.key === 'PageDown') select(at + 20);
    else if (event.key === 'PageUp') select(at - 20);
    else if (event.key === 'Home') select(0);
    else if (event.key === 'End') select(rows.length - 1);
    else if (event.key === 'ArrowRight' && row) {
      if (row.childCount > 0 && !row.isOpen) toggle(row);
      else if (row.isOpen) select(at + 1);
    } else if (event.key === 'ArrowLeft' && row) {
      if (row.isOpen) toggle(row);
      else if (tree.parent(row.index) >= 0) go(tree.parent(row.index));
    } else return;
    event.preventDefault();
  };
  const hasCosts = showsTreeFigures && costs !== undefined;
  return (
    <div className="tree" data-figures={showsTreeFigures} data-costs={hasCosts}>
      <div className="tree-bar">
        <input
          ref={field}
          className="input grow"
          type="search"
          placeholder="Search spans"
          aria-label="Search spans by name"
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') nextHit(event.shiftKey);
            if (event.key === 'Escape') scroller.current?.focus();
          }}
        />
        {searchText !== '' && <span className="muted">{formatCount(hits.length)}</span>}
        {errors.length > 0 && (
          <button
            type="button"
            className="button"
            title="Next error (])"
            onClick={() => go(errors.find((index) => index > selected) ?? errors[0])}
          >
            <span className="tree-error">
              <Icon name="error" size={13} />
            </span>
            {formatCount(errors.length)}
          </button>
        )}
        <button
          type="button"
          className="button icon-only"
          aria-label="Show latency and tokens"
          title="Show latency and tokens beside the bars"
          aria-pressed={showsTreeFigures}
          onClick={() => setPreference('showsTreeFigures', !showsTreeFigures)}
        >
          <Icon name="clock" size={14} />
        </button>
        <button
          type="button"
          className="button icon-only"
          aria-label="Critical path"
          title="Show the spans that determine the duration of the trace"
          aria-pressed={showsCriticalPath}
          onClick={() => setPreference('showsCriticalPath', !showsCriticalPath)}
        >
          <Icon name="path" size={14} />
        </button>
        <CollapseMenu tree={tree} expansion={expansion} onChange={setExpansion} />
      </div>
      <Axis endMs={tree.endMs} hasFigures={showsTreeFigures} hasCosts={hasCosts} />
      <div
        ref={scroller}
        className="tree-rows"
        role="tree"
        aria-label="Spans"
        tabIndex={0}
        aria-activedescendant={`span-${selectedRowId}`}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: rows.length * rowHeight }} role="none">
          {rows.slice(first, end).map((row, offset) => (
            <TreeLine
              key={row.key}
              tree={tree}
              costs={hasCosts ? costs : undefined}
              path={path}
              row={row}
              top={(first + offset) * rowHeight}
              isSelected={!row.group && row.index === selected}
              searchText={searchText}
              hasFigures={showsTreeFigures}
              onSelect={onLine}
              onToggle={toggle}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

const TICKS = [0, 1 / 3, 2 / 3];

interface AxisProps {
  readonly endMs: number;
  readonly hasFigures: boolean;
  readonly hasCosts: boolean;
}

function Axis({ endMs, hasFigures, hasCosts }: AxisProps) {
  return (
    <div className="tree-axis" aria-hidden="true">
      <span />
      {hasFigures && <span className="tree-figure">Latency</span>}
      {hasFigures && <span className="tree-figure">Tokens</span>}
      {hasCosts && <span className="tree-figure of-cost">Cost</span>}
      <span className="tree-ticks">
        {TICKS.map((share) => (
          <span key={share} style={{ left: `${share * 100}%` }}>
            {share === 0 ? '0' : formatLatency(endMs * share)}
          </span>
        ))}
      </span>
    </div>
  );
}

function toggled(tree: SpanTree, { closed, openGroups }: Expansion, row: TreeRow): Expansion {
  if (row.group) {
    const groups = new Set(openGroups);
    if (row.isOpen) for (const index of row.group) groups.delete(tree.rowId(index));
    else groups.add(tree.rowId(row.index));
    return { closed, openGroups: groups };
  }
  const next = new Set(closed);
  const rowId = tree.rowId(row.index);
  if (!next.delete(rowId)) next.add(rowId);
  return { closed: next, openGroups };
}

/** Large traces have few distinct names, so each name is compared once. */
function findByName(tree: SpanTree, searchText: string): readonly number[] {
  const text = searchText.trim().toLowerCase();
  if (text === '') return [];
  const { names, nameIndices } = tree.skeleton;
  const fits = names.map((name) => name.toLowerCase().includes(text));
  const hits: number[] = [];
  for (const [index, name] of nameIndices.entries()) if (fits[name]) hits.push(index);
  return hits;
}

function scrollInto(element: HTMLElement | null, at: number, rowHeight: number): void {
  if (!element || at < 0) return;
  const top = at * rowHeight;
  if (top < element.scrollTop) element.scrollTop = Math.max(0, top - rowHeight);
  else if (top + rowHeight > element.scrollTop + element.clientHeight) {
    element.scrollTop = top + 2 * rowHeight - element.clientHeight;
  }
}
