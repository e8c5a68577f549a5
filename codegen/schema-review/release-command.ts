import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createCommand } from './command.ts';
import { completeDocuments } from './frozen-documents.ts';
import {
  CLIENTS_FOLDER,
  currentSdl,
  frozenDocuments,
  RELEASES_FOLDER,
  schemaOf,
  SdlVersionError,
} from './sdl-version.ts';

await createCommand('schema:release', 'keeps the SDL of the version in package.json, and documents of its operations')
  .action(() => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const folder = `${RELEASES_FOLDER}/${version}`;
    if (existsSync(folder))
      throw new SdlVersionError(`${folder} exists: a release does not change. Set the next version.`);
    // Read before anything is written: an SDL with mistakes throws here, and must leave no files behind.
    const documents = completeDocuments(schemaOf(currentSdl()));
    const known = new Set(frozenDocuments().map(({ text }) => text));
    cpSync('schema', folder, { recursive: true });
    freezeDocuments(
      version,
      [...documents].filter(([, text]) => !known.has(text)),
    );
  })
  .parseAsync();

/** Writes the documents of new and changed operations. Those of earlier releases stay as they are. */
function freezeDocuments(release: string, documents: readonly (readonly [name: string, text: string])[]): void {
  const folder = `${CLIENTS_FOLDER}/${release}`;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of documents) writeFileSync(`${folder}/${name}.graphql`, text);
}
