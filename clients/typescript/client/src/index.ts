export type { operations, paths } from './generated/api.ts';
