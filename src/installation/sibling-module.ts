import { extname } from 'node:path';

/**
 * The file of a module beside another one, for a thread or a process. Its extension is that of the other module,
 * because the published package has JavaScript where the repository has TypeScript.
 */
export function siblingModule(url: string, name: string): URL {
  return new URL(`${name}${extname(url)}`, url);
}
