import { readFileSync } from 'node:fs';

/** Set with `NAME`, or with `NAME_FILE`, the path of a file that contains the value. */
export const SECRETS = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'CROSS_MERCHANT_DATABASE_URL',
  'SECRET_KEY',
  'STORAGE_URL',
] as const;

/** Docker Compose and shells pass unset variables as empty strings. */
export function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

/** Adds the secrets that files contain, and the mistakes in their names to `mistakes`. */
export function withSecretsFromFiles(environment: NodeJS.ProcessEnv, mistakes: string[]): NodeJS.ProcessEnv {
  const secrets = SECRETS.flatMap((name) => {
    const path = environment[`${name}_FILE`];
    if (path === undefined) return [];
    if (environment[name] !== undefined) mistakes.push(`${name}_FILE is given beside ${name}: give one of them`);
    const text = readText(path);
    if (text === null) mistakes.push(`${name}_FILE names a file that cannot be read${shown(path)}`);
    else if (text === '') mistakes.push(`${name}_FILE names an empty file: ${path}`);
    return text ? [[name, text] as const] : [];
  });
  return { ...environment, ...Object.fromEntries(secrets) };
}

/** A path, unless it may be the secret itself, given in the wrong variable. */
function shown(path: string): string {
  const isKey = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text) || /^[\w+/-]{43}=?$/.test(text);
  // SECRET_KEY may have several keys.
  const isSecret = URL.canParse(path) || path.split(',').some((part) => isKey(part.trim()));
  return isSecret ? '' : `: ${path}`;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
