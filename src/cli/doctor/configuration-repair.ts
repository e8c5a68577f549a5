import { SECRETS } from '../../installation/secret-files.ts';

const REFERENCE = 'set them where the service gets them (shell, .env, unit); docs/configuration.md has all variables';
const DATABASE_URL = 'postgres://USER:PASSWORD@HOST:5432/DATABASE, with a percent-encoded password';
const FORMS: Readonly<Record<string, string>> = {
  SECRET_KEY: '32 bytes in hex; for a database in use, the key of its service',
  STORAGE_URL: 'file:///FOLDER or s3://BUCKET/PREFIX',
  DATABASE_URL,
  MIGRATION_DATABASE_URL: DATABASE_URL,
  CROSS_MERCHANT_DATABASE_URL: DATABASE_URL,
};

type Step = { readonly command: string; readonly variable: string };

/**
 * The commands that correct mistakes of the configuration, each of which begins with the name of a variable. None of them
 * prints the value of a variable: `read -s` does not show what is typed.
 */
export function configurationRepair(mistakes: readonly string[]): string {
  const files = mistakes.some((mistake) => mistake.startsWith('SECRET_KEY_FILE'));
  // Without its file the key is missing too.
  const steps = mistakes.filter((mistake) => !files || !isKeyMissing(mistake)).map(stepFor);
  const forms = steps.flatMap(({ variable }) => (FORMS[variable] ? [`${variable}: ${FORMS[variable]}`] : []));
  const commands = new Set(steps.map(({ command }) => command));
  return `${[...commands].join(' && ')}   # ${[...new Set(forms), REFERENCE].join('; ')}`;
}

function stepFor(mistake: string): Step {
  const variable = /^\w+/.exec(mistake)![0];
  if (isKeyMissing(mistake)) return { command: 'export SECRET_KEY="$(openssl rand -hex 32)"', variable };
  if (mistake.includes('needs DATABASE_URL')) return typed('DATABASE_URL');
  if (mistake.includes('_FILE names')) return { command: `export ${variable}=/PATH/OF/A/READABLE/FILE`, variable };
  return SECRETS.some((secret) => secret === variable) ? typed(variable) : { command: `unset ${variable}`, variable };
}

function isKeyMissing(mistake: string): boolean {
  return mistake.startsWith('SECRET_KEY is required');
}

function typed(variable: string): Step {
  return { command: `read -rs ${variable} && export ${variable}`, variable };
}
