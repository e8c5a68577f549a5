import { describe, expect, it } from 'vitest';
import { blocksOf, kindOf } from './blocks.ts';
import { headDifferences, jsonDifferences } from './same-shape.ts';

const page = (...blocks: string[]): string => `# Title\n\n${blocks.join('\n\n')}\n`;
const kinds = (text: string): string[] => blocksOf('page.md', text).map(kindOf);

describe('the blocks of a page', () => {
  it('are examples, answers, or have a reason why they are not run', () => {
    const text = page(
      '```sh\na\n```',
      '```json\n{}\n```',
      '<!-- not run: reason -->\n```sh\nb\n```',
      '<!-- run by: x -->\n```js\nc\n```',
    );
    expect(kinds(text)).toEqual(['executed', 'answers of these', 'not run', 'run by another test']);
    expect(blocksOf('page.md', text).map(({ line }) => line)).toEqual([3, 7, 12, 17]);
  });

  it('are refused: an answer without an example, an unknown language, no end, an empty reason', () => {
    expect(() => kinds(page('```json\n{}\n```'))).toThrow('nothing runs');
    expect(() => kinds(page('<!-- not run: x -->\n```sh\na\n```', '```json\n{}\n```'))).toThrow('nothing runs');
    expect(() => kinds(page('```\na\n```'))).toThrow('(none)');
    expect(() => kinds(page('```sh\na\n```', '```sh\nb'))).toThrow('fences');
    expect(() => kinds(page('- a\n  ```sh\n  b\n  ```'))).toThrow('fences');
    expect(kinds(page('<!-- not run:  -->\n```sh\na\n```'))).toEqual(['executed']);
  });

  it('are found in descriptions of the SDL, with their lines', () => {
    const sdl = 'type Query {\n  """\n  Text.\n\n  ```graphql\n  { a }\n  ```\n  """\n  a: Int\n}\n';
    expect(blocksOf('schema/a.graphql', sdl)).toMatchObject([{ language: 'graphql', text: '{ a }\n', line: 5 }]);
  });
});

describe('an answer', () => {
  const ID = '01a1fc1f-bebe-71b0-939b-fd7cbc7fe604';
  const OTHER = '01a1fc1f-bebe-71b0-939b-fd7cbc7fe605';

  it.each([
    ['{"a":1}', '{"a":2}', ['answer.a is 2, not 1']],
    ['{"at":1795357553838}', '{"at":1795843081675}', []],
    ['{"a":"one"}', '{"a":"two"}', []],
    ['{"a":{"name":"one"}}', '{"a":{"name":"two"}}', ['answer.a.name is "two", not "one"']],
    ['{"a":1}', '{"a":"1"}', ['answer.a is "1"']],
    ['{"a":1}', '{}', ['answer.a is missing']],
    ['{}', '{"a":1}', ['answer.a is not shown: 1']],
    ['{"a":null}', '{"a":1}', ['answer.a is 1']],
    ['{"a":[1]}', '{"a":[]}', ['answer.a is empty']],
    ['{"a":[{"b":1}]}', '{"a":[{"b":1},{"c":1}]}', []],
    ['{"a":[{"b":1}]}', '{"a":{"b":1}}', ['answer.a is {"b":1}']],
    ['{"extensions":{"code":"A"}}', '{"extensions":{"code":"B"}}', ['answer.extensions.code is "B", not "A"']],
    ['{"a":1}', 'Bad Gateway', ['not JSON: Bad Gateway']],
  ])('like %s: %s', (shown, actual, expected) => {
    expect(jsonDifferences(shown, actual, new Map())).toEqual(expected);
  });

  it('provides the ids that later examples use', () => {
    const learned = new Map<string, string>();
    expect(jsonDifferences(`{"id":"${ID}"}`, `{"id":"${OTHER}"}`, learned)).toEqual([]);
    expect(learned).toEqual(new Map([[ID, OTHER]]));
  });

  it('with a head must have the shown status and headers', () => {
    const response = 'HTTP/1.1 200 OK\r\nX-Id: a\r\nDate: today\r\n\r\n"OK"';
    expect(headDifferences('HTTP/1.1 200 OK\nx-id: b\n\n"OK"', response, new Map())).toEqual([]);
    expect(headDifferences('HTTP/1.1 201 OK\nx-none: b\n', response, new Map())).toEqual([
      'the status is 200, not 201',
      'the header x-none is missing',
    ]);
  });
});
