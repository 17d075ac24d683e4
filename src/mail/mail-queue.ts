import type { Log } from '../base/log.ts';
import {
  MAIL_ATTEMPT_COUNT_MAX,
  MAIL_ATTEMPT_MS_MAX,
  MAIL_CLOSE_MS_MAX,
  MAIL_CONCURRENCY,
  MAIL_QUEUE_COUNT_MAX,
  MAIL_RETRY_MS,
} from '../model/limits/mail.ts';
import { type DeliverMail, DeliveryError } from './deliver-mail.ts';
import type { Mail, MailOutcome } from './mailer.ts';

export interface MailQueueOptions {
  readonly deliver: DeliverMail;
  readonly log: Log;
  /** Limits for tests. */
  readonly limits?: Partial<MailLimits>;
}

export interface MailLimits {
  /** Mails that are waiting, running or waiting for another attempt. */
  readonly queueCountMax: number;
  readonly attemptCountMax: number;
  readonly attemptMsMax: number;
  /** Pause before the second attempt. Each further pause is six times as long. */
  readonly retryMs: number;
}

export interface MailQueue {
  /** Never rejects. */
  add(mail: Mail): Promise<MailOutcome>;
  close(): Promise<void>;
}

interface QueuedMail {
  readonly mail: Mail;
  readonly finish: (outcome: MailOutcome) => void;
  attemptCount: number;
}

/** Mails in memory: an attempt that fails is repeated a few times, and a restart loses mails that wait. */
export function openMailQueue({ deliver, log, limits: given }: MailQueueOptions): MailQueue {
  const limits: MailLimits = { ...DEFAULT_LIMITS, ...given };
  const waiting: QueuedMail[] = [];
  const retries = new Map<NodeJS.Timeout, QueuedMail>();
  const running = new Map<QueuedMail, AbortController>();
  let isClosed = false;
  let onIdle: () => void = () => {};

  function fail({ mail, finish, attemptCount }: QueuedMail, error: unknown): void {
    log.error({ mail: mail.kind, attemptCount, err: error }, 'Could not send a mail');
    finish('failed');
  }

  function retryLater(queued: QueuedMail): void {
    const timer = setTimeout(
      () => {
        retries.delete(timer);
        waiting.push(queued);
        startNext();
      },
      limits.retryMs * 6 ** (queued.attemptCount - 1),
    );
    retries.set(timer, queued);
  }

  async function run(queued: QueuedMail): Promise<void> {
    const abort = new AbortController();
    running.set(queued, abort);
    const timer = setTimeout(() => abort.abort(new Error('The attempt took too long')), limits.attemptMsMax);
    queued.attemptCount++;
    try {
      await deliver(queued.mail, abort.signal);
      queued.finish('sent');
    } catch (error) {
      const isLast = queued.attemptCount >= limits.attemptCountMax;
      if (isClosed || isLast || (error instanceof DeliveryError && error.isPermanent)) fail(queued, error);
      else {
        log.warn({ mail: queued.mail.kind, err: error }, 'Could not send a mail yet; the server retries');
        retryLater(queued);
      }
    } finally {
      clearTimeout(timer);
      running.delete(queued);
    }
    startNext();
    if (running.size === 0) onIdle();
  }

  function startNext(): void {
    while (running.size < MAIL_CONCURRENCY && !isClosed) {
      const queued = waiting.shift();
      if (queued === undefined) return;
      void run(queued);
    }
  }

  return {
    add: (mail) =>
      new Promise((finish) => {
        const queued: QueuedMail = { mail, finish, attemptCount: 0 };
        if (isClosed) return fail(queued, new Error('The server stops'));
        if (waiting.length + retries.size + running.size >= limits.queueCountMax) {
          return fail(queued, new Error(`${limits.queueCountMax} mails already wait, the maximum`));
        }
        waiting.push(queued);
        startNext();
      }),
    async close() {
      isClosed = true;
      for (const timer of retries.keys()) clearTimeout(timer);
      for (const queued of [...waiting.splice(0), ...retries.values()]) fail(queued, new Error('The server stops'));
      retries.clear();
      if (running.size === 0) return;
      const timer = setTimeout(() => {
        for (const abort of running.values()) abort.abort(new Error('The server stops'));
      }, MAIL_CLOSE_MS_MAX);
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      clearTimeout(timer);
    },
  };
}

const DEFAULT_LIMITS: MailLimits = {
  queueCountMax: MAIL_QUEUE_COUNT_MAX,
  attemptCountMax: MAIL_ATTEMPT_COUNT_MAX,
  attemptMsMax: MAIL_ATTEMPT_MS_MAX,
  retryMs: MAIL_RETRY_MS,
};
