import { ModelDialog } from '../../components/prompt/model/ModelDialog.tsx';
import { PromptPicker } from '../../components/prompt/picker/PromptPicker.tsx';
import type { Variant } from '../../components/prompt/variant/variant.ts';
import { SaveVersion } from './prompt/SaveVersion.tsx';
import type { Column } from './use-columns.ts';

export interface VariantDialog {
  /** `key`: the model, with the focus in the field of the key. */
  readonly type: 'model' | 'key' | 'load' | 'save';
  readonly variantId: string;
}

interface VariantDialogsProps {
  readonly dialog: VariantDialog;
  readonly columns: readonly Column[];
  readonly onChange: (variant: Variant) => void;
  readonly onClose: () => void;
}

/** The open dialog of a variant. */
export function VariantDialogs({ dialog, columns, onChange, onClose }: VariantDialogsProps) {
  const column = columns.find(({ variant }) => variant.id === dialog.variantId);
  if (!column) return null;
  const { variant, letter } = column;
  switch (dialog.type) {
    case 'model':
    case 'key':
      return (
        <ModelDialog
          variant={variant}
          title={`Model of ${letter}`}
          startsAtKey={dialog.type === 'key'}
          onChange={onChange}
          onClose={onClose}
        />
      );
    case 'load':
      // The column keeps its identity, so that its earlier outputs stay for the comparison.
      return (
        <PromptPicker
          title={`Load a prompt into ${letter}`}
          onPick={(loaded) => onChange({ ...loaded, id: variant.id })}
          onClose={onClose}
        />
      );
    case 'save':
      return <SaveVersion variant={variant} letter={letter} onSaved={onChange} onClose={onClose} />;
  }
}
