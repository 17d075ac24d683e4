import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type PriceFile, parsePriceFile } from './model/models/price-file.ts';

/** Operators can edit this file, so it is not part of the build. */
const PATH = fileURLToPath(new URL('../../config/model-prices.json', import.meta.url));

/** @throws {Error} that names the file and its problem */
export async function readModelPrices(path: string = PATH): Promise<PriceFile> {
  try {
    return parsePriceFile(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`Could not read the model prices in ${path}: ${(error as Error).message}`, { cause: error });
  }
}
