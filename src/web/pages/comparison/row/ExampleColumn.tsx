import { WholeValue } from './WholeValue.tsx';

interface ExampleColumnProps {
  readonly revision: { readonly input: unknown; readonly output: unknown; readonly metadata: unknown } | undefined;
  readonly splits: readonly { readonly id: string; readonly name: string }[];
}

/** Input, reference output and metadata of the example, as the baseline used it. */
export function ExampleColumn({ revision, splits }: ExampleColumnProps) {
  return (
    <section className="example-column" aria-label="Example">
      {revision && (
        <>
          <WholeValue title="Input" value={revision.input} />
          <WholeValue title="Reference" value={revision.output} />
          {Object.keys((revision.metadata ?? {}) as object).length > 0 && (
            <WholeValue title="Metadata" value={revision.metadata} />
          )}
        </>
      )}
      {splits.length > 0 && (
        <p className="muted" dir="auto">
          {splits.length === 1 ? 'Split' : 'Splits'}: {splits.map(({ name }) => name).join(', ')}
        </p>
      )}
    </section>
  );
}
