import { useRef, useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { toFailure } from '../../../data/request.ts';

/** Result of a test of keys and address. */
type Outcome = { readonly type: 'accepted' } | { readonly type: 'failed'; readonly reason: string };

export interface ProviderTest {
  readonly isBusy: boolean;
  readonly outcome: Outcome | undefined;
  /** @param test Resolves to the reason of a failure, or null. */
  readonly run: (test: () => Promise<string | null>) => void;
  /** Drops a result that no longer belongs to what the user has entered. */
  readonly clear: () => void;
}

/** State of a test that stores nothing. A result that arrives after `clear` is ignored. */
export function useProviderTest(): ProviderTest {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const number = useRef(0);
  const clear = () => {
    number.current += 1;
    setBusy(false);
    setOutcome(undefined);
  };
  return {
    ...{ isBusy, outcome, clear },
    run(test) {
      clear();
      const own = number.current;
      setBusy(true);
      const end = (result: Outcome) => {
        if (own !== number.current) return;
        setBusy(false);
        setOutcome(result);
      };
      test().then(
        (reason) => end(reason === null ? { type: 'accepted' } : { type: 'failed', reason }),
        (error: unknown) => end({ type: 'failed', reason: toFailure(error).message }),
      );
    },
  };
}

interface TestResultProps {
  readonly test: Pick<ProviderTest, 'isBusy' | 'outcome'>;
  /** Name of the vendor. */
  readonly name: string;
}

/** The result in words. */
export function TestResult({ test: { isBusy, outcome }, name }: TestResultProps) {
  if (isBusy) {
    return (
      <span className="muted" role="status">
        Asking {name}, at most ten seconds…
      </span>
    );
  }
  if (outcome === undefined) return null;
  if (outcome.type === 'accepted') {
    return (
      <span className="provider-ok" role="status">
        <Icon name="check" size={13} /> {name} accepts the key and the address.
      </span>
    );
  }
  return (
    <span className="error-text" role="alert">
      {outcome.reason}
    </span>
  );
}
