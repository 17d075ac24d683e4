import { useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatCount } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { nameOfAction } from './audit-names.ts';
import { type SettingsAuditCheckData, settingsAuditCheck } from './generated/audit.ts';

/** Verifies the chain of hashes on request, because the server reads the whole log for it. */
export function CheckLog() {
  const times = useTimeFormat();
  const [result, setResult] = useState<SettingsAuditCheckData['auditLogCheck']>();
  const { isBusy, problem, run } = useChange([]);
  const check = () =>
    void run(
      async () => setResult((await send(settingsAuditCheck, {})).auditLogCheck),
      () => {},
    );
  const broken = result?.brokenAt;
  return (
    <div className="card audit-check">
      <p className="grow" role="status">
        {isBusy ? (
          'Verifying all entries…'
        ) : result === undefined ? (
          'Each entry contains a hash of the entry before it, so the server can find entries that were changed or removed.'
        ) : broken ? (
          <span className="error-text">
            <Icon name="warning" size={13} /> The entry “{nameOfAction(broken.action)}” of{' '}
            {times.full(broken.happenedAt)} was changed, or entries before it were removed. Compare the log with a
            backup.
          </span>
        ) : (
          <>
            <Icon name="check" size={13} /> All {formatCount(result.entryCount)} entries are intact.
          </>
        )}
      </p>
      <Problem text={problem} />
      <button type="button" className="button" disabled={isBusy} onClick={check}>
        Verify the log
      </button>
    </div>
  );
}
