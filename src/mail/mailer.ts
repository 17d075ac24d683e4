/** Where a mail ended: at the mail server, or in the log. */
export type MailOutcome = 'sent' | 'failed';

/**
 * Sends mails. A call returns at once and never throws: the mail waits in a queue with a limit, and the promise resolves
 * after the last attempt. Callers that respond to a stranger must not wait for it, because the time would reveal whether an
 * account exists.
 */
export interface Mailer {
  /** The link has the id `welcome-url` and is the root URL exactly. */
  sendWelcome(mail: { readonly to: string; readonly username: string }): Promise<MailOutcome>;
  /** The link has the id `reset-url` and carries the token as the query parameter `token`. */
  sendPasswordReset(mail: {
    readonly to: string;
    readonly username: string;
    readonly token: string;
  }): Promise<MailOutcome>;
  /** Notifies the owner of an account lock. `from` is the address of the last attempt. */
  sendLockNotice(mail: {
    readonly to: string;
    readonly username: string;
    readonly from: string | null;
    readonly lockSeconds: number;
  }): Promise<MailOutcome>;
  /** One mail to all addresses, with the support address in copy. It counts as sent if any of them accepts it. */
  sendStorageWarning(mail: {
    readonly to: readonly string[];
    readonly usedPercent: number;
    readonly capacityBytes: number;
  }): Promise<MailOutcome>;
  /** Drops waiting mails, and gives running attempts a few seconds. */
  close(): Promise<void>;
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** Address of the sender. */
  readonly from: string;
  readonly verifiesCertificate: boolean;
  /** PEM file. Undefined: the public authorities. */
  readonly caFile: string | undefined;
}

/** A mail as the queue holds it. */
export interface Mail {
  readonly kind: 'welcome' | 'passwordReset' | 'lockNotice' | 'storageWarning';
  readonly to: readonly string[];
  readonly cc?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * One address, which can neither end a header nor start another recipient. Stricter than RFC 5322, which allows quoted
 * names with any character.
 */
export const isMailAddress = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression excludes control characters.
  text.length <= 320 && /^[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+@[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+$/.test(text);
