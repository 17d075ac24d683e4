import { SpandrelError } from '../../model/errors.ts';
import { PASSWORD_LENGTH_MAX } from '../../model/limits/access.ts';

export interface PasswordPolicy {
  /** Twelve characters of four kinds instead of four characters. */
  readonly isStrong: boolean;
}

/** Returns what is missing in a password. Undefined when it is acceptable. */
export function findPasswordProblem(password: string, { isStrong }: PasswordPolicy): string | undefined {
  if (password === '') return 'Password must not be empty';
  if (password.length > PASSWORD_LENGTH_MAX) return `Password must have at most ${PASSWORD_LENGTH_MAX} characters`;
  if (/\s/.test(password)) return 'Password must not contain whitespace';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about all of ASCII
  if (!/^[\x00-\x7f]*$/.test(password)) return 'Password must contain only ASCII characters';
  const lengthMin = isStrong ? 12 : 4;
  if (password.length < lengthMin) return `Password must be at least ${lengthMin} characters long`;
  if (!isStrong) return undefined;
  const lacking = STRONG_KINDS.filter(([pattern]) => !pattern.test(password)).map(([, name]) => name);
  return lacking.length === 0 ? undefined : `Password must contain at least ${lacking.join(' and ')}`;
}

const STRONG_KINDS = [
  [/\d/, 'one digit'],
  [/[a-z]/, 'one lowercase letter'],
  [/[A-Z]/, 'one uppercase letter'],
  [/[!@#$%^&*()_+]/, 'one special character of !@#$%^&*()_+'],
] as const;

/** @throws {SpandrelError} `PASSWORD_INVALID` */
export function checkPassword(password: string, policy: PasswordPolicy): void {
  const problem = findPasswordProblem(password, policy);
  if (problem !== undefined) throw new SpandrelError('PASSWORD_INVALID', problem);
}
