import { Icon } from '../../../components/Icon.tsx';
import { KindMark } from '../../../components/Kind.tsx';
import { KINDS, type KindName, kindLabel } from '../../../components/kinds.ts';
import { Menu, MenuItem, MenuLine } from '../../../components/Menu.tsx';
import { formatCount } from '../../../format/numbers.ts';
import type { Expansion, SpanTree } from './span-tree.ts';

interface CollapseMenuProps {
  readonly tree: SpanTree;
  readonly expansion: Expansion;
  readonly onChange: (expansion: Expansion) => void;
}

/** Collapses or expands all spans, or all spans of a kind. */
export function CollapseMenu({ tree, expansion, onChange }: CollapseMenuProps) {
  const parents = [...tree.parents()];
  const byKind = KINDS.map((kind) => ({ kind, indices: parents.filter((index) => tree.kind(index) === kind) }));
  const { closed, openGroups } = expansion;
  const roots = new Set(tree.roots);
  const toggleKind = (indices: readonly number[], isCollapsed: boolean) => {
    const next = new Set(closed);
    for (const rowId of indices.map(tree.rowId)) {
      if (isCollapsed) next.delete(rowId);
      else next.add(rowId);
    }
    onChange({ closed: next, openGroups });
  };
  return (
    <Menu
      label="Collapse"
      button={
        <button type="button" className="button icon-only" title="Collapse and expand spans">
          <Icon name="fold" size={14} />
        </button>
      }
    >
      <MenuItem onSelect={() => onChange({ closed: new Set(), openGroups })}>Expand all</MenuItem>
      <MenuItem
        onSelect={() =>
          onChange({
            closed: new Set(parents.filter((index) => !roots.has(index)).map(tree.rowId)),
            openGroups: new Set(),
          })
        }
      >
        Collapse all
      </MenuItem>
      <MenuLine />
      {byKind.map(({ kind, indices }) => {
        if (indices.length === 0) return null;
        const isCollapsed = indices.every((index) => closed.has(tree.rowId(index)));
        return (
          <MenuItem key={kind} onSelect={() => toggleKind(indices, isCollapsed)}>
            <KindMark kind={kind satisfies KindName} />
            <span className="grow">
              {isCollapsed ? 'Expand' : 'Collapse'} {kindLabel(kind)}
            </span>
            <span className="muted">{formatCount(indices.length)}</span>
          </MenuItem>
        );
      })}
    </Menu>
  );
}
