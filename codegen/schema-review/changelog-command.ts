import type { Change } from './changes.ts';
import { createCommand } from './command.ts';
import { type Comparison, compareSdl } from './comparison.ts';

const ROOT_TYPES: readonly string[] = ['Query', 'Mutation'];

/** The sections of a release note. Each change is in the first one that takes it. */
const SECTIONS: readonly (readonly [heading: string, takes: (change: Change) => boolean])[] = [
  ['Breaking', ({ severity }) => severity === 'breaking'],
  ['Check your client', ({ severity }) => severity === 'dangerous'],
  ['Deprecated', ({ nature }) => nature === 'deprecated'],
  ['New operations', ({ nature, coordinate }) => nature === 'added' && isOperation(coordinate)],
  ['New types and members', ({ nature }) => nature === 'added'],
  ['Other changes', ({ nature }) => nature !== 'described'],
];

await createCommand('schema:changelog', 'drafts a release note from the changes of the SDL')
  .argument('[ref]', 'commit, branch or tag; the SDL of the last release by default')
  .option('--sdl <folder>', 'the folder of the new SDL', 'schema')
  .action((ref: string | undefined, { sdl }: { sdl: string }) => console.log(releaseNote(compareSdl(ref, sdl))))
  .parseAsync();

function releaseNote(comparison: Comparison): string {
  const sections = Map.groupBy(comparison.changes, (change) => SECTIONS.find(([, takes]) => takes(change))?.[0]);
  const parts = SECTIONS.flatMap(([heading]) => {
    const changes = sections.get(heading) ?? [];
    return changes.length > 0 ? [`\n### ${heading}\n`, ...changes.map((change) => entry(change, comparison))] : [];
  });
  return [`## Schema changes since ${comparison.base}`, ...(parts.length > 0 ? parts : ['\nNone.'])].join('\n');
}

/** An addition by its name and the first sentence of its description, any other change by what it means. */
function entry({ nature, coordinate, message }: Change, { elements }: Comparison): string {
  const description = elements.get(coordinate)?.description?.replace(/\s+/g, ' ').trim();
  if (nature !== 'added' || !description) return `- ${message.replaceAll('\n', ' ')}`;
  const name = isOperation(coordinate) ? coordinate.split('.')[1] : coordinate;
  return `- \`${name}\`: ${/^.*?[.](?=\s|$)/.exec(description)?.[0] ?? description}`;
}

function isOperation(coordinate: string): boolean {
  const [type = '', field = ''] = coordinate.split('.');
  return ROOT_TYPES.includes(type) && /^\w+$/.test(field);
}
