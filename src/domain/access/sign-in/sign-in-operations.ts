import { bindToPorts } from '../../bind-to-ports.ts';
import type { AccessPorts } from '../access-ports.ts';
import type { AuditParts } from '../audit.ts';
import { requestPasswordReset, resetPassword } from '../reset-password.ts';
import { isSame } from '../tokens.ts';
import { refreshSession, signInPorts, signInWithPassword, signOut } from './sign-in.ts';
import { signInAtDirectory, signInWithIdentity } from './sign-in-external.ts';

/** Operations of people who have no credential yet. */
export const createSignInOperations = (ports: AccessPorts & AuditParts) => ({
  policy: ports.accessPolicy,
  /** Signs a short text, such as the state of a sign-in at an identity provider. */
  sign: (text: string): string => signInPorts(ports).tokens.sign(text),
  isSigned: (text: string, signature: string): boolean => isSame(signature, signInPorts(ports).tokens.sign(text)),
  ...bindToPorts(ports, {
    signInWithPassword,
    signInAtDirectory,
    signInWithIdentity,
    refreshSession,
    signOut,
    requestPasswordReset,
    resetPassword,
  }),
});

export type SignInOperations = ReturnType<typeof createSignInOperations>;
