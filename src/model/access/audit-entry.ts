import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../base/canonical-json.ts';
import type { ExactJsonObject } from '../../base/exact-json.ts';

/** `DENIED`: the caller lacked a right or a valid credential. */
export type AuditOutcome = 'DONE' | 'DENIED';

/** Operations that leave an entry. */
export const AUDIT_ACTIONS = [
  ...['sign-in', 'sign-out', 'session.end', 'password.request-reset', 'password.reset', 'session.stolen'],
  ...[
    'user.create',
    'user.update',
    'user.delete',
    'user.unlock',
    'identity.link',
    'identity.unlink',
    'user-key.create',
    'user-key.delete',
  ],
  ...['system-key.create', 'system-key.delete', 'provider.create', 'provider.update', 'provider.delete'],
  ...['sandbox-config.create', 'sandbox-config.update', 'sandbox-config.delete', 'sandbox-provider.update'],
  ...['retention.create', 'retention.update', 'retention.delete', 'project.delete', 'project.clear', 'dataset.delete'],
  ...['project.privacy', 'project-member.set', 'project-member.remove'],
  ...['group.create', 'group.update', 'group.delete'],
  ...['prompt.delete', 'experiment.delete', 'data.delete', 'secret.set', 'secret.delete', 'export'],
  ...['oauth2-client.register', 'oauth2-grant.approve', 'oauth2-grant.create', 'oauth2-grant.revoke'],
  'oauth2-grant.replay',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What an operation changed or read. */
export interface AuditTarget {
  readonly kind: string;
  /** Row id or key, as text. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** Texts and flags without secrets. */
export type AuditFields = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface NewAuditEntry {
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly target: AuditTarget;
  readonly before?: AuditFields | undefined;
  readonly after?: AuditFields | undefined;
}

/** Who did it, from where, and by which credential. */
export interface AuditActor {
  readonly userRowId: number | null;
  readonly username: string | null;
  readonly credential: 'session' | 'app' | 'userKey' | 'systemKey' | 'adminSecret' | 'password' | 'none';
  readonly remoteAddress: string | null;
}

export interface AuditEntry extends NewAuditEntry {
  readonly rowId: number;
  readonly happenedAt: Date;
  readonly actor: AuditActor;
}

/** Hash before the first entry. */
export const FIRST_AUDIT_HASH = Buffer.alloc(32);

/**
 * Hash of an entry and of all entries before it. An entry that is changed, removed or inserted later does not fit to the
 * entries after it.
 */
export function hashAuditEntry(previous: Uint8Array, entry: AuditEntry): Buffer {
  const { actor, target } = entry;
  const fields = [
    ...[String(entry.rowId), entry.happenedAt.toISOString(), actor.userRowId, actor.username, actor.credential],
    ...[actor.remoteAddress, entry.action, entry.outcome, target.kind, target.id ?? null, target.name ?? null],
    ...[entry.before ?? null, entry.after ?? null].map((part) => part && toCanonicalJson(part as ExactJsonObject)),
  ];
  return createHash('sha256').update(previous).update(JSON.stringify(fields)).digest();
}
