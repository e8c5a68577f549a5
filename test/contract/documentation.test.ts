import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getNamedType, type GraphQLInputType, isInputObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { httpStatusByCode } from '../../src/errors.ts';
import { buildSchema, readSources } from '../../src/graphql/schema/schema.ts';
import { readReference } from '../../src/graphql/reference/operation-reference.ts';
import { sectionsOf } from '../../src/http/docs/sections.ts';
import { resolvers } from '../../src/resolvers.ts';
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

it('docs/clients.md names all arguments and inputs that take an ID', () => {
  const [, ids] = /### Ids\n\n(.+?)\n\n/s.exec(readFileSync('docs/clients.md', 'utf8'))!;
  const fields = [...operations].flatMap(([operation, { field }]) =>
    field.args
      .filter(({ type }) => isId(type))
      .flatMap(({ name, type }) => [`\`${operation}\``, `\`${name}: ${String(type)}\``]),
  );
  const inputs = Object.values(buildSchema(readSources(), resolvers).getTypeMap())
    .filter((type) => isInputObjectType(type) && Object.values(type.getFields()).some((member) => isId(member.type)))
    .map(({ name }) => `\`${name}\``);
  expect([...fields, ...inputs].filter((text) => !ids!.includes(text))).toEqual([]);
});

it('each link of a page leads to a file or folder', () => {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const pages = ['README.md', 'SECURITY.md', 'ops/README.md', ...docs.map((file) => `docs/${file}`)];
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!\w+:)([^)#\s]+)/g)]
      .map(([, file]) => join(dirname(page), file!))
      .filter((file) => !existsSync(file))
      .map((file) => `${page}: ${file}`),
  );
  expect(broken).toEqual([]);
});

it('README.md says what is in each folder of src that is no domain of the SDL', () => {
  const readme = readFileSync('README.md', 'utf8');
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const domains = readdirSync('schema').map((file) => file.replace('.graphql', ''));
  const others = folders.map(({ name }) => name).filter((name) => !domains.includes(name));
  expect(others.filter((name) => !readme.includes(`\`src/${name}/\``))).toEqual([]);
});

it('test/support/README.md lists each helper', () => {
  const list = readFileSync('test/support/README.md', 'utf8');
  const helpers = readdirSync('test/support').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(helpers.filter((file) => !list.includes(`\`${file}\``))).toEqual([]);
});

function isId(type: GraphQLInputType): boolean {
  return getNamedType(type).name === 'ID';
}
