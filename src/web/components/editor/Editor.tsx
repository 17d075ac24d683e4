import { lazy } from '../lazy.tsx';
import type { EditorProps } from './editor-props.ts';

/** Editor of JSON, code or plain text, in a chunk of its own. `preload` loads it before it is shown. */
export const Editor = lazy<EditorProps>(
  async () => (await import('./TextEditor.tsx')).TextEditor,
  () => <div className="skeleton" style={{ height: 120 }} />,
);
