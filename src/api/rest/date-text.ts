import { formatUnixNano } from '../../model/time/datetime.ts';

/** A row's time, in UTC with its offset, which older clients cannot read as `Z`. */
export const dateText = (date: Date): string => formatUnixNano(BigInt(date.getTime()) * 1_000_000n);
