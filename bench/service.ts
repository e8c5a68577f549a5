import { readFileSync } from 'node:fs';
import { type Child, startChild } from './child.ts';
import { httpSubject, post, type Surroundings } from './http-subject.ts';
import { SECRET_KEY_HEX } from './shop.ts';
import type { Subject } from './subject.ts';
import type { Shop } from './workload.ts';

export const GRAPHQL_PATH = '/api/v1/admin/graphql';
const PAGE_SIZE = 20;

/** The service as `npm start` runs it, with the same flags and caches. */
export async function startService(databaseUrl: string): Promise<Child> {
  const environment = { DATABASE_URL: databaseUrl, SECRET_KEY: SECRET_KEY_HEX };
  return await startChild(startScript(), environment, async (url) => (await fetch(`${url}/readyz`)).ok);
}

export function serviceSubject(child: Child, token: string, surroundings: Surroundings): Subject {
  const headers = { authorization: `Bearer ${token}` };
  return httpSubject({ name: 'service', child, path: GRAPHQL_PATH, headers, side: 'own' }, surroundings, (workload) => workload);
}

/** The cursor that the page before the shop's deep page ends with. */
export async function deepCursor({ url }: Child, token: string, { deepPage }: Shop): Promise<string> {
  const query = 'query ($pagination: PaginationInput) { listProduct(pagination: $pagination) { endCursor } }';
  const variables = { pagination: { limit: PAGE_SIZE, page: deepPage - 1 } };
  const { listProduct } = (await post(url + GRAPHQL_PATH, { authorization: `Bearer ${token}` }, { query, variables })) as { listProduct: { endCursor: string } };
  return listProduct.endCursor;
}

function startScript(): string {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { scripts: { start: string } };
  return scripts.start.replace(/^exec /, '');
}
