import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, ConfigError } from '../config.ts';
import { ownCommand } from '../installation/own-command.ts';

const SAMPLE = '--sample';
const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

/** Reads the arguments of `npm start --` and `commerce start`. Throws ConfigError if there is another one. */
export function startArguments(
  given: readonly string[],
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
): { hasSample: boolean } {
  const unknown = given.filter((argument) => argument !== SAMPLE);
  const hasSample = given.includes(SAMPLE);
  const examples = `${relative('', EXAMPLES)}/`;
  const mistakes = unknown.map((argument) => `${argument} is no argument: there is only ${SAMPLE}`);
  if (hasSample && databaseUrl !== undefined)
    mistakes.push(
      `${SAMPLE} fills the demo shop of the embedded database; with DATABASE_URL: ` +
        ownCommand(`import ${examples}catalogue.csv --pictures ${examples}pictures`),
    );
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return { hasSample };
}
