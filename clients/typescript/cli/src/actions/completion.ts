import type { Action } from '../command-line/command.ts';
import { SCRIPTS } from '../completion/scripts.ts';

export const printCompletion: Action = async ({ argument, out }) => out.write(SCRIPTS.get(argument(0)) ?? '');
