import { readFile } from 'node:fs/promises';
import type { Log } from '../base/log.ts';
import { createDelivery, type DeliveryOptions } from './deliver-mail.ts';
import { type MailLimits, openMailQueue } from './mail-queue.ts';
import { lockNoticeMail, passwordResetMail, storageWarningMail, welcomeMail } from './mail-texts.ts';
import type { Mailer, MailServer } from './mailer.ts';

export interface MailerOptions {
  readonly server: MailServer;
  /** URL at which users reach the server, without a slash at the end. It never comes from a request. */
  readonly rootUrl: () => string;
  /** Receives a copy of storage warnings. */
  readonly supportEmail: string | undefined;
  readonly log: Log;
  /** Limits for tests. */
  readonly limits?: Partial<MailLimits> & Pick<DeliveryOptions, 'connectMsMax' | 'replyMsMax'>;
}

/** Connects to nothing until the first mail. @throws {Error} when the CA file cannot be read */
export async function openMailer({ server, rootUrl, supportEmail, log, limits }: MailerOptions): Promise<Mailer> {
  const ca = server.caFile === undefined ? undefined : await readFile(server.caFile, 'utf8');
  if (!server.verifiesCertificate) {
    log.warn({ host: server.host }, 'The certificate of the mail server is not verified (SERVICE_SMTP_VALIDATE_CERTS)');
  }
  const queue = openMailQueue({ deliver: createDelivery({ server, ca, ...limits }), log, ...(limits && { limits }) });
  return {
    sendWelcome: ({ to, username }) => queue.add({ kind: 'welcome', to: [to], ...welcomeMail(rootUrl(), username) }),
    sendPasswordReset: ({ to, username, token }) =>
      queue.add({ kind: 'passwordReset', to: [to], ...passwordResetMail(rootUrl(), username, token) }),
    sendLockNotice: ({ to, username, ...lock }) =>
      queue.add({ kind: 'lockNotice', to: [to], ...lockNoticeMail(rootUrl(), username, lock) }),
    sendStorageWarning: ({ to, usedPercent, capacityBytes }) =>
      queue.add({
        kind: 'storageWarning',
        to,
        ...(supportEmail === undefined ? {} : { cc: supportEmail }),
        ...storageWarningMail(rootUrl(), usedPercent, capacityBytes),
      }),
    close: () => queue.close(),
  };
}
