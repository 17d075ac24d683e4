import { Dialog } from '../components/Dialog.tsx';
import { isMac } from './use-hotkeys.ts';

const mod = () => (isMac() ? '⌘' : 'Ctrl');

const SECTIONS = [
  {
    title: 'Everywhere',
    keys: [
      ['mod K', 'Search pages and objects by name or label, or open a pasted ID'],
      ['?', 'Show keyboard shortcuts'],
      ['Esc', 'Close the open panel'],
    ],
  },
  {
    title: 'Tables',
    keys: [
      ['↓ ↑', 'Next and previous row'],
      ['Enter', 'Open the row'],
      ['X', 'Select the row'],
      ['Shift click', 'Select a range of rows'],
      ['Alt → ←', 'On a column header: move the column'],
      ['→ ←', 'On a column edge: resize the column'],
    ],
  },
  {
    title: 'Charts',
    keys: [
      ['→ ←', 'Move the cursor in all charts'],
      ['Shift → ←', 'Select a time range'],
      ['Enter', 'Apply the range, or open the spans at the cursor'],
    ],
  },
  {
    title: 'Trace',
    keys: [
      ['↓ ↑', 'Next and previous span'],
      ['→ ←', 'Expand and collapse'],
      ['] [', 'Next and previous error'],
      ['/', 'Search spans'],
      ['J K', 'Next and previous row of the table'],
      ['Esc', 'Back to the table'],
    ],
  },
  {
    title: 'Playground',
    keys: [
      ['mod Enter', 'Run all variants'],
      ['mod Shift Enter', 'Run the variant with the focus'],
      ['Esc', 'Stop'],
      ['J K', 'Next and previous case'],
      ['L H', 'Next and previous variant'],
      ['Enter', 'Open the marked output'],
      ['D', 'Show differences from the pinned variant'],
      ['E', 'Annotate the marked output'],
      ['] [', 'Next and previous repetition'],
      ['Alt ↓ ↑', 'On the handle of a message: move it'],
    ],
  },
  {
    title: 'Comparison of experiments',
    keys: [
      ['J K', 'Next and previous example'],
      ['L H', 'Next and previous experiment'],
      ['Enter', 'Open the example side by side'],
      ['1 … 9', 'Annotate the marked run, or prefer the left (1) or right (2) output; 0 is a tie'],
      ['R', 'In blind mode: show the names'],
      ['Esc', 'Close the example'],
      ['Alt → ←', 'On an experiment: move it'],
    ],
  },
  {
    title: 'Annotations',
    keys: [
      ['E', 'Annotate the span or session; in a table, annotate the selected rows one by one'],
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
    <Dialog title="Keyboard shortcuts" isWide isOpen={isOpen} onClose={onClose}>
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
