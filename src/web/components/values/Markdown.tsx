import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CopyButton } from '../CopyButton.tsx';
import { Icon } from '../Icon.tsx';
import { rehypePreparedTree, textOfTree } from './markdown-tree.ts';
import './markdown.css';

/**
 * Text as GitHub-flavored Markdown. HTML in the text stays text, links lead to web and mail addresses only, and an image
 * becomes a link, because fetching it would tell another host who reads the text.
 */
export const Markdown = memo(({ text }: { readonly text: string }) => (
  <div className="markdown">
    <ReactMarkdown
      remarkPlugins={REMARK_PLUGINS}
      rehypePlugins={REHYPE_PLUGINS}
      components={COMPONENTS}
      urlTransform={safeUrl}
    >
      {text}
    </ReactMarkdown>
  </div>
));

const REMARK_PLUGINS = [remarkGfm];
const REHYPE_PLUGINS = [rehypePreparedTree];

const safeUrl = (url: string): string | undefined => (/^(https?:\/\/|mailto:)/i.test(url) ? url : undefined);

/** Elements that differ from what Markdown names. Headings start below those of the page. */
const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  h1: heading('h4', 1),
  h2: heading('h4', 2),
  h3: heading('h5', 3),
  h4: heading('h6', 4),
  h5: heading('h6', 5),
  h6: heading('h6', 6),
  img: ({ src, alt }) => (
    <SafeLink href={typeof src === 'string' ? src : undefined}>
      <Icon name="link" size={12} /> {alt || 'Image'}
    </SafeLink>
  ),
  input: ({ checked }) => (
    <input type="checkbox" checked={checked === true} disabled aria-label={checked ? 'Done' : 'To do'} />
  ),
  pre: ({ node, children }) => (
    <div className="markdown-code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets the keyboard scroll long lines */}
      <pre tabIndex={0}>{children}</pre>
      <CopyButton text={() => textOfTree(node)} label="Copy code" />
    </div>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: lets the keyboard scroll a wide table
    <div className="markdown-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

function heading(Tag: 'h4' | 'h5' | 'h6', level: number) {
  return ({ children }: { readonly children?: ReactNode }) => (
    <Tag dir="auto" data-level={level}>
      {children}
    </Tag>
  );
}

function SafeLink({ href, children }: { readonly href: string | undefined; readonly children?: ReactNode }) {
  if (!href) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
