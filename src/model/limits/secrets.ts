// Limits of providers and secrets.

/** Characters of a provider's config as JSON: some headers and keys. */
export const PROVIDER_CONFIG_CHARS_MAX = 64 * 1_024;

/** Characters of the key of a secret. Names of environment variables are much shorter. */
export const SECRET_KEY_CHARS_MAX = 256;
/** Characters of a secret: a private key or the JSON of a service account has a few thousand. */
export const SECRET_VALUE_CHARS_MAX = 64 * 1_024;
/** Hosts that one secret is bound to. A vendor has a few. */
export const SECRET_HOST_COUNT_MAX = 100;
/** Secrets of one request, which are stored in one transaction. */
export const SECRET_CHANGE_COUNT_MAX = 1_000;
/** Encrypted texts that a rotation reads at a time, so that it never holds all of them in memory. */
export const RESEAL_BATCH_COUNT = 100;
