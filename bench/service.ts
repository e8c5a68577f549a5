import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, ROOT, startChild } from './child.ts';
import { httpSubject, type Surroundings } from './http-subject.ts';
import { SECRET_KEY_HEX } from './shop.ts';
import type { Subject } from './subject.ts';

export const GRAPHQL_PATH = '/api/v1/admin/graphql';

/** Starts the service with the flags and caches of `npm start`. */
export async function startService(databaseUrl: string, directory: string = ROOT): Promise<Child> {
  const environment = { DATABASE_URL: databaseUrl, SECRET_KEY: SECRET_KEY_HEX };
  return await startChild(
    startScript(directory),
    environment,
    async (url) => (await fetch(`${url}/readyz`)).ok,
    directory,
  );
}

export function serviceSubject(child: Child, token: string, surroundings: Surroundings, name = 'service'): Subject {
  const headers = { authorization: `Bearer ${token}` };
  return httpSubject({ name, child, path: GRAPHQL_PATH, headers, side: 'own' }, surroundings, (workload) => workload);
}

function startScript(directory: string): string {
  const { scripts } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.replace(/^exec /, '');
}
