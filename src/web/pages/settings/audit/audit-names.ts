/** Names of the actions of the audit log, in the order of the filter. A test compares them with those of the server. */
export const ACTION_NAMES: ReadonlyMap<string, string> = new Map([
  ['sign-in', 'Sign-in'],
  ['sign-out', 'Sign-out'],
  ['session.end', 'Session ended'],
  ['session.stolen', 'Stolen session ended'],
  ['password.request-reset', 'Password reset requested'],
  ['password.reset', 'Password reset'],
  ['user.create', 'User created'],
  ['user.update', 'User changed'],
  ['user.delete', 'User deleted'],
  ['user.unlock', 'User unlocked'],
  ['group.create', 'Group created'],
  ['group.update', 'Group changed'],
  ['group.delete', 'Group deleted'],
  ['identity.link', 'Identity linked'],
  ['identity.unlink', 'Identity unlinked'],
  ['user-key.create', 'User key created'],
  ['user-key.delete', 'User key deleted'],
  ['system-key.create', 'System key created'],
  ['system-key.delete', 'System key deleted'],
  ['secret.set', 'Secret stored'],
  ['secret.delete', 'Secret deleted'],
  ['sandbox-config.create', 'Sandbox config created'],
  ['sandbox-config.update', 'Sandbox config changed'],
  ['sandbox-config.delete', 'Sandbox config deleted'],
  ['sandbox-provider.update', 'Sandbox changed'],
  ['provider.create', 'Provider created'],
  ['provider.update', 'Provider changed'],
  ['provider.delete', 'Provider deleted'],
  ['retention.create', 'Retention policy created'],
  ['retention.update', 'Retention policy changed'],
  ['retention.delete', 'Retention policy deleted'],
  ['project.delete', 'Project deleted'],
  ['project.clear', 'Project cleared'],
  ['project.privacy', 'Project made private or open'],
  ['project-member.set', 'Project member added or changed'],
  ['project-member.remove', 'Project member removed'],
  ['dataset.delete', 'Dataset deleted'],
  ['prompt.delete', 'Prompt deleted'],
  ['experiment.delete', 'Experiment deleted'],
  ['data.delete', 'Data deleted'],
  ['export', 'Export'],
  ['oauth2-client.register', 'App registered'],
  ['oauth2-grant.approve', 'App allowed'],
  ['oauth2-grant.create', 'App signed in'],
  ['oauth2-grant.revoke', 'Access of an app revoked'],
  ['oauth2-grant.replay', 'Stolen token of an app sent'],
]);

const CREDENTIALS: ReadonlyMap<string, string> = new Map([
  ['session', 'session'],
  ['app', 'app'],
  ['userKey', 'API key'],
  ['systemKey', 'system key'],
  ['adminSecret', 'admin secret'],
  ['password', 'sign-in'],
  ['none', 'no credential'],
]);

const KINDS: ReadonlyMap<string, string> = new Map([
  ['ApiKey', 'API key'],
  ['UserSession', 'Session'],
  ['OAuth2Client', 'App'],
  ['OAuth2Grant', 'Access of an app'],
  ['AuditLog', 'Audit log'],
]);

export const nameOfAction = (action: string): string => ACTION_NAMES.get(action) ?? action;
export const nameOfCredential = (credential: string): string => CREDENTIALS.get(credential) ?? credential;

/** For example `Custom provider` for `CustomProvider`. */
export function nameOfKind(kind: string): string {
  const words = kind.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return KINDS.get(kind) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
