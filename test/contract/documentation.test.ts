import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { httpStatusByCode } from '../../src/errors.ts';
import { readReference } from '../../src/graphql/reference/operation-reference.ts';
import { sectionsOf } from '../../src/http/docs/sections.ts';
import { operations } from '../support/operation.ts';

/** test/docs runs the examples. */
it('each operation has an example in docs/operations, on the page of its domain', () => {
  const written = readdirSync('docs/operations').flatMap((file) =>
    sectionsOf(readFileSync(`docs/operations/${file}`, 'utf8'))
      .sections.filter(({ text }) => text.includes('```graphql'))
      .map(({ heading }) => `${file.replace('.md', '')} ${heading}`),
  );
  const { operations: described } = readReference();
  expect(described.map(({ name }) => name).toSorted()).toEqual([...operations.keys()].toSorted());
  expect(written.toSorted()).toEqual(described.map(({ domain, name }) => `${domain} ${name}`).toSorted());
});

it('each error code has a page in docs/errors.md with its status, and a corrected example after the wrong one', () => {
  const { sections } = sectionsOf(readFileSync('docs/errors.md', 'utf8'));
  expect(sections.map(({ heading }) => heading).toSorted()).toEqual(Object.keys(httpStatusByCode).toSorted());
  for (const { heading, text } of sections) {
    const status = httpStatusByCode[heading as keyof typeof httpStatusByCode];
    expect([heading, text.startsWith(`HTTP status ${status}`)]).toEqual([heading, true]);
    const wrong = text.indexOf(`"code":"${heading}"`);
    expect([heading, wrong > 0, /^```(?:sh|graphql)$/m.test(text.slice(wrong))]).toEqual([heading, true, true]);
  }
});
