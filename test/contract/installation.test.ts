import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('.env.example has every variable of the configuration, with its default', () => {
  const example = text('.env.example');
  const known = [...text('src/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name!);
  const shown = [...example.matchAll(/^#([A-Z][A-Z_]+)=/gm)].map(([, name]) => name!);
  expect(shown.toSorted()).toEqual(known.toSorted());
  const defaults = example.replaceAll(/^#(?=[A-Z_]+=)/gm, '').replaceAll(/^\w*DATABASE_URL=.*$/gm, '');
  expect(loadConfig(parseEnv(defaults))).toEqual(loadConfig({}));
  expect(loadConfig(parseEnv(example))).toEqual(loadConfig({}));
});

it('docs/configuration.md explains every variable of .env.example', () => {
  const explained = text('docs/configuration.md');
  const shown = [...text('.env.example').matchAll(/^#([A-Z][A-Z_]+)=/gm)].map(([, name]) => name!);
  expect(shown.filter((name) => !explained.includes(`\`${name}\``))).toEqual([]);
});

it('all places name the same oldest version of Node', () => {
  const { engines } = JSON.parse(text('package.json')) as { engines: { node: string } };
  const major = /\d+/.exec(engines.node)![0];
  expect(text('.nvmrc').trim()).toBe(major);
  expect(text('README.md')).toContain(`runs on your own Node, ${major} or newer`);
});
