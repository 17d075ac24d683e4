import { Icon, type IconName } from './Icon.tsx';
import { type KindName, kindLabel } from './kinds.ts';
import './kind.css';

export function KindMark({ kind }: { readonly kind: KindName }) {
  return (
    <span className={`kind-mark kind-${kind}`}>
      <Icon name={kind satisfies IconName} size={12} />
    </span>
  );
}

export function Kind({ kind }: { readonly kind: KindName }) {
  return (
    <span className={`kind kind-${kind}`}>
      <KindMark kind={kind} />
      <span className="clip">{kindLabel(kind)}</span>
    </span>
  );
}
