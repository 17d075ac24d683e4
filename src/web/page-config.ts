/** Facts of the server that the page needs before its first request. `src/server/pages/page-config.ts` writes them. */
export interface PageConfig {
  readonly authenticationEnabled: boolean;
  /** Whether the server has no passwords of its own. */
  readonly basicAuthDisabled: boolean;
  readonly passwordResetEmailEnabled: boolean;
  readonly ldapEnabled: boolean;
  readonly oAuth2Idps: readonly IdentityProvider[];
}

export interface IdentityProvider {
  /** Segment of the path `/oauth2/{name}/login`. */
  readonly name: string;
  readonly displayName: string;
  /** Whether the sign-in page goes there without a click while passwords are off. */
  readonly autoLogin: boolean;
}

const SIGN_IN_OFF: PageConfig = {
  authenticationEnabled: false,
  basicAuthDisabled: false,
  passwordResetEmailEnabled: false,
  ldapEnabled: false,
  oAuth2Idps: [],
};

const element = document.querySelector<HTMLMetaElement>('meta[name=page-config]');

/** Configuration that the server has written into the page. The policy of the page allows no inline script. */
export const PAGE_CONFIG: PageConfig = {
  ...SIGN_IN_OFF,
  ...(JSON.parse(element?.content || '{}') as Partial<PageConfig>),
};
