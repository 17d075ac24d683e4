import { Icon, type IconName } from './Icon.tsx';
import './kind.css';

export const KINDS = [
  'agent',
  'chain',
  'embedding',
  'evaluator',
  'guardrail',
  'llm',
  'prompt',
  'reranker',
  'retriever',
  'tool',
  'unknown',
] as const;
export type KindName = (typeof KINDS)[number];

export const toKind = (text: string): KindName => KINDS.find((kind) => kind === text) ?? 'unknown';
export const kindLabel = (kind: KindName): string => (kind === 'llm' ? 'LLM' : kind);

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
