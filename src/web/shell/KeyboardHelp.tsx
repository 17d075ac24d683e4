import { Dialog } from '../components/Dialog.tsx';
import { isMac } from './use-hotkeys.ts';

const mod = () => (isMac() ? '⌘' : 'Ctrl');

const SECTIONS = [
  {
    title: 'Everywhere',
    keys: [
      ['mod K', 'Search pages and projects, or open a pasted id'],
      ['?', 'This overview'],
      ['Esc', 'Close what is open'],
    ],
  },
  {
    title: 'Tables',
    keys: [
      ['↓ ↑', 'Next and previous row'],
      ['Enter', 'Open the row'],
      ['X', 'Select the row'],
      ['Shift click', 'Select a range of rows'],
      ['Alt → ←', 'On the head of a column: move it'],
      ['→ ←', 'On the edge of a column: make it wider or narrower'],
    ],
  },
  {
    title: 'Charts',
    keys: [
      ['→ ←', 'Point at the next or previous time, in all charts'],
      ['Shift → ←', 'Draw a range'],
      ['Enter', 'Narrow to the range, or open the spans behind the time'],
    ],
  },
  {
    title: 'Trace',
    keys: [
      ['↓ ↑', 'Next and previous span'],
      ['→ ←', 'Unfold and fold'],
      ['] [', 'Next and previous error'],
      ['/', 'Search in the tree'],
      ['J K', 'Next and previous row of the table'],
      ['Esc', 'Back to the table'],
    ],
  },
  {
    title: 'Annotations',
    keys: [
      ['E', 'Annotate the span or the session; on a table, the selected rows one after another'],
      ['Shift E', 'Annotate the trace'],
      ['1 … 9', 'Choose a label; press again to undo'],
      ['0 … 9', 'Enter a score'],
      ['Enter', 'Confirm a score; with Ctrl, confirm a text'],
      ['Q', 'Next row that you have not annotated'],
      ['Esc', 'Leave a text field; close the pane'],
    ],
  },
] as const;

export function KeyboardHelp({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard" isWide isOpen={isOpen} onClose={onClose}>
      <div className="shortcuts">
        {SECTIONS.map(({ title, keys }) => (
          <Section key={title} title={title} keys={keys} />
        ))}
      </div>
    </Dialog>
  );
}

function Section({ title, keys }: { readonly title: string; readonly keys: readonly (readonly [string, string])[] }) {
  return (
    <section className="shortcuts-part">
      <h3>{title}</h3>
      {keys.map(([key, meaning]) => (
        <div key={key} style={{ display: 'contents' }}>
          <span>
            <kbd>{key.replace('mod', mod())}</kbd>
          </span>
          <span>{meaning}</span>
        </div>
      ))}
    </section>
  );
}
