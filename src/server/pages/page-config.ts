/** Facts that the pages of the web interface need before their first request. Public, so it contains no secret. */
export interface PageConfig {
  readonly authenticationEnabled: boolean;
  readonly basicAuthDisabled: boolean;
  /** Whether a forgotten password can be reset by mail. */
  readonly passwordResetEmailEnabled: boolean;
  readonly ldapEnabled: boolean;
  /** Identity providers, in the order of their buttons. */
  readonly oAuth2Idps: readonly {
    readonly name: string;
    readonly displayName: string;
    /** Whether the sign-in page goes there without a click while passwords are off. */
    readonly autoLogin: boolean;
  }[];
}
