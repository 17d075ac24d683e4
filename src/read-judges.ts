import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type JudgeFile, parseJudgeFile } from './model/evaluators/judge-file.ts';

/** The same files are in the packages of the evaluation library, so they are not part of the build. */
const FOLDER = fileURLToPath(new URL('../../config/judges/', import.meta.url));

/**
 * The ready-made judges by name.
 *
 * @throws {Error} that names the file and its problem
 */
export async function readJudges(folder: string = FOLDER): Promise<readonly JudgeFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => {
      try {
        const judge = parseJudgeFile(await readFile(`${folder}/${file}`, 'utf8'));
        if (file !== `${judge.name}.json`) throw new Error(`expected the name ${file.slice(0, -5)}`);
        return judge;
      } catch (error) {
        throw new Error(`Could not read the judge ${folder}/${file}: ${(error as Error).message}`, { cause: error });
      }
    }),
  );
}
