import { useMemo } from 'react';
import { highlightCode } from '../values/highlight-code.ts';

interface ColoredCodeProps {
  readonly text: string;
  readonly language: string;
}

/** Code with the colors of its language. */
export function ColoredCode({ text, language }: ColoredCodeProps) {
  const nodes = useMemo(() => highlightCode(text, language), [text, language]);
  return nodes ? <Nodes nodes={nodes} /> : text;
}

type CodeNode = NonNullable<ReturnType<typeof highlightCode>>[number];

const Nodes = ({ nodes }: { readonly nodes: readonly CodeNode[] }) =>
  nodes.map((node, index) => {
    if (node.type === 'text') return node.value;
    if (node.type !== 'element') return null;
    const { className } = node.properties;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity
      <span key={index} className={Array.isArray(className) ? className.join(' ') : undefined}>
        <Nodes nodes={node.children} />
      </span>
    );
  });
