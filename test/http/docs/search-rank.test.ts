import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { makeDocuments } from '../../../src/http/docs/documents.ts';

type Entry = [path: string, title: string, text: string, headings: [heading: string, id: string][]];
type Script = { rank: (pages: Entry[], words: string[]) => { path: string }[]; wordsOf: (query: string) => string[] };

const documents = new Map(
  makeDocuments({ hasOperations: true, publicUrl: undefined }).map(({ path, text }) => [path, text]),
);
const entries = JSON.parse(documents.get('/docs/search.json')!) as Entry[];
/** The script needs elements of a page when it is loaded. */
const element = { addEventListener: () => undefined };
const script = createContext({ document: { ...element, getElementById: () => element }, navigator: {} });
runInContext(documents.get('/docs/search.js')!, script);
const { rank, wordsOf } = script as unknown as Script;

describe('the search of the documentation', () => {
  it.each([
    ['how to paginate', 'clients#pagination'],
    ['How do I retry with an idempotency key?', 'clients#repeated-requests-and-idempotency'],
    ['receiver on my own machine', 'webhooks#a-receiver-on-your-own-machine'],
    ['saveWebhook', 'operations/saveWebhook'],
    ['not_found', 'errors/NOT_FOUND'],
    ['upload', 'images#upload'],
  ])('for "%s" opens %s', (query, expected) => {
    expect(rank(entries, wordsOf(query.toLowerCase()))[0]?.path).toBe(expected);
  });

  it('finds nothing for words that no page has', () => {
    expect(rank(entries, wordsOf('xyzzy pagination'))).toEqual([]);
  });

  it('opens headings that the pages have', () => {
    for (const [path, , , headings] of entries)
      for (const [, id] of headings) expect(documents.get(`/docs/${path}`), `${path}#${id}`).toContain(` id="${id}"`);
  });
});
