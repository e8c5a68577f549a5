import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import * as documents from '../../src/console/documents.ts';
import { currentSdl, schemaOf } from '../../codegen/schema-review/sdl-version.ts';

const schema = schemaOf(currentSdl());
const texts = Object.entries(documents);

describe('the documents of the console', () => {
  it.each(texts)('%s is a document of the API', (_, text) => {
    expect(validate(schema, parse(text))).toEqual([]);
  });
});
