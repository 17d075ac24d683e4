// Limits of mails.

/** Mails in memory. More are dropped with a line in the log: a flood of resets must not fill the memory. */
export const MAIL_QUEUE_COUNT_MAX = 500;
/** Connections to the mail server at a time. Mail servers limit them per client. */
export const MAIL_CONCURRENCY = 2;
/** Attempts for one mail, 5 s and 30 s apart, which covers a restart of the mail server. */
export const MAIL_ATTEMPT_COUNT_MAX = 3;
export const MAIL_RETRY_MS = 5_000;
/** Time to connect to the mail server, and from there to its greeting. */
export const MAIL_CONNECT_MS_MAX = 10_000;
/** Time without any data from the mail server. */
export const MAIL_REPLY_MS_MAX = 20_000;
/** Time of one attempt. A slow mail server must not hold up other mails for longer. */
export const MAIL_ATTEMPT_MS_MAX = 60_000;
/** Time that the response to an administrator waits for the welcome mail, which is sent later if the mail server is slow. */
export const WELCOME_MAIL_WAIT_MS_MAX = 10_000;
/** Time between two storage warnings to one administrator. */
export const STORAGE_WARNING_INTERVAL_HOURS = 24;
/** Time for running attempts when the server stops. */
export const MAIL_CLOSE_MS_MAX = 3_000;
