import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

// Bundles src/console for browsers. The bundle is committed, so that users of the service need no build. With `--check`
// the script writes nothing, and fails if the committed bundle is not up to date.

const SOURCE = new URL('../src/console/', import.meta.url);
const MAX_COMPRESSED_BYTES = 150_000;

const { outputFiles } = await build({
  entryPoints: { console: at('main.tsx'), style: at('console.css') },
  outdir: at('bundle'),
  entryNames: 'console',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2024',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  write: false,
});
const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
const stale = [];
for (const [path, text] of texts) {
  if (process.argv.includes('--check')) {
    if ((await readFile(path, 'utf8').catch(() => null)) !== text) stale.push(path);
  } else {
    await mkdir(at('bundle'), { recursive: true });
    await writeFile(path, text);
  }
}
const bytes = [...texts.values()].reduce((sum, text) => sum + brotliCompressSync(text).length, 0);
console.log(`The console has ${bytes} bytes compressed.`);
if (bytes > MAX_COMPRESSED_BYTES) fail(`At most ${MAX_COMPRESSED_BYTES} are allowed.`);
if (stale.length > 0) fail(`Not up to date: ${stale.join(', ')}. Run: npm run console:build`);

function at(name: string): string {
  return fileURLToPath(new URL(name, SOURCE));
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
