/** Errors that a key would solve. The words are those of the server and of vendors. */
const KEY_PROBLEM = /API key|environment variable|credential|unauthori[sz]ed|authentication|\b401\b/i;

export const isKeyProblem = (message: string): boolean => KEY_PROBLEM.test(message);
