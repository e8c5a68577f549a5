import { globSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import config from '../../codegen.ts';

it('schema/ has only files that the commands read, with names of domains in kebab-case', () => {
  expect(readdirSync('schema').filter((name) => !/^[a-z]+(-[a-z]+)*\.graphql$/.test(name))).toEqual([]);
});

it('the folders of generated files have none that codegen does not write any more', () => {
  const found = globSync('{src,drizzle}/**/generated/*');
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter((file) => !(file in config.generates))).toEqual([]);
});
