// Limits of OpenID Connect, SCIM and LDAP.
import { KiB, MiB } from './units.ts';

/** Response of an identity provider, inflated. Metadata, keys and claims of the largest providers take a tenth. */
export const OIDC_RESPONSE_BYTES_MAX = 512 * KiB;
/** One call to an identity provider. A sign-in makes at most four, while a person waits. */
export const OIDC_REQUEST_MS_MAX = 10_000;
/** Age of the metadata of an identity provider. Its keys are fetched at each sign-in. */
export const OIDC_METADATA_MS_MAX = 3_600_000;
/** Difference between the clocks of server and identity provider that the times of an ID token may have. */
export const OIDC_CLOCK_TOLERANCE_S = 60;
/** File with a client assertion. A JWT with a chain of certificates has a few KiB. */
export const CLIENT_ASSERTION_BYTES_MAX = 64 * KiB;
/** Levels of the claims of a user. */
export const CLAIMS_DEPTH_MAX = 32;
/** Characters of a claim that is stored: a subject, a group, the URL of a picture. */
export const CLAIM_LENGTH_MAX = 1_024;
/** Groups of a user. A directory names every mailing list, and each request of the user may look at all. */
export const GROUP_COUNT_MAX = 5_000;
/** Members of a group that an identity provider sends over SCIM, about twice the largest group that one provisions. */
export const GROUP_MEMBER_COUNT_MAX = 50_000;
/** Size of a request of SCIM: a group of 50,000 members at 80 bytes each. */
export const SCIM_BODY_BYTES_MAX = 4 * MiB;
/** Levels of JSON in such a request. A user has three. */
export const SCIM_JSON_DEPTH_MAX = 16;
/** Operations of one PATCH. Providers send a few, and one for each member of a group at most. */
export const SCIM_OPERATION_COUNT_MAX = 1_000;
/** Commas and brackets of such a request, which bound its memory: a group of 50,000 members with four fields each. */
export const SCIM_VALUE_COUNT_MAX = 300_000;
/** Resources of a page, and those without a `count`. */
export const SCIM_PAGE_ROW_COUNT_MAX = 200;
export const SCIM_PAGE_ROW_COUNT = 100;
/** Members in one response. A list with more must exclude the members. */
export const SCIM_LISTED_MEMBER_COUNT_MAX = 100_000;
/** Characters, comparisons and levels of a filter. Providers send one or two comparisons. */
export const SCIM_FILTER_LENGTH_MAX = 2_000;
export const SCIM_FILTER_COMPARISON_COUNT_MAX = 50;
export const SCIM_FILTER_DEPTH_MAX = 20;
/** Evaluation of one JMESPath expression, which blocks the event loop. A usual one takes 1 ms. */
export const JMESPATH_MS_MAX = 500;
/** Characters of the name of a user from an identity provider or a directory. */
export const DISPLAY_NAME_LENGTH_MAX = 200;
/** Characters of a name and a password for the directory. */
export const LDAP_USERNAME_LENGTH_MAX = 256;
export const LDAP_PASSWORD_LENGTH_MAX = 1_024;
/** Bytes of the attribute that identifies a user of the directory. An index of Postgres must hold it. */
export const LDAP_UNIQUE_ID_LENGTH_MAX = 512;
/** Sign-ins at the directory at a time, and those that wait. More are rejected, because the directory is overloaded. */
export const LDAP_SIGN_IN_COUNT_MAX = 10;
export const LDAP_WAITING_COUNT_MAX = 100;
/** Connection to a server of the directory, with its TLS handshake; one operation; a whole sign-in with its waiting. */
export const LDAP_CONNECT_MS_MAX = 10_000;
export const LDAP_OPERATION_MS_MAX = 30_000;
export const LDAP_TOTAL_MS_MAX = 60_000;
