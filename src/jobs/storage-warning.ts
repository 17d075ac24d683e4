import type { Log } from '../base/log.ts';
import { STORAGE_WARNING_INTERVAL_HOURS } from '../model/limits/mail.ts';

/** Functions of the metadata store and the mailer that the warning needs. */
export interface StorageWarningPorts {
  /** Addresses of the active administrators. */
  readonly adminEmails: () => Promise<readonly string[]>;
  /** Claims the recipients that got no warning within the given hours, for this server alone. */
  readonly claim: (recipients: readonly string[], intervalHours: number) => Promise<readonly string[]>;
  /** Lets recipients be claimed again in an hour. */
  readonly release: (recipients: readonly string[], intervalHours: number) => Promise<void>;
  /** One mail to all recipients. False if it could not be sent. */
  readonly send: (to: readonly string[], usedPercent: number) => Promise<boolean>;
}

export interface StorageWarning {
  /** Sends the warnings that are due. Never rejects; does nothing while a previous call is running. */
  check(usedPercent: number): Promise<void>;
}

/** Warns administrators once a day while storage is above a percentage of its capacity, also across restarts. */
export function createStorageWarning(warningPercent: number, ports: StorageWarningPorts, log: Log): StorageWarning {
  let isRunning = false;

  async function warn(usedPercent: number): Promise<void> {
    const recipients = await ports.adminEmails();
    if (recipients.length === 0) return;
    const due = await ports.claim(recipients, STORAGE_WARNING_INTERVAL_HOURS);
    if (due.length === 0) return;
    if (await ports.send(due, usedPercent)) log.info({ recipientCount: due.length }, 'Sent a mail about the storage');
    else await ports.release(due, STORAGE_WARNING_INTERVAL_HOURS);
  }

  return {
    async check(usedPercent) {
      if (isRunning || usedPercent <= warningPercent) return;
      isRunning = true;
      try {
        await warn(usedPercent);
      } catch (error) {
        log.warn({ err: error }, 'Could not warn administrators about the storage; the server retries');
      } finally {
        isRunning = false;
      }
    },
  };
}
