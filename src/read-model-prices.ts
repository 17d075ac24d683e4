import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type PriceFile, parsePriceFile } from './model/price-file.ts';

/** As people edit it: it is no part of what is built. */
const PATH = fileURLToPath(new URL('../../config/model-prices.json', import.meta.url));

/** @throws {Error} that names the file, and what is wrong in it. */
export async function readModelPrices(path: string = PATH): Promise<PriceFile> {
  try {
    return parsePriceFile(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`The model prices in ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
