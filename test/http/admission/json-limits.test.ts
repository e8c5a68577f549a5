import { describe, expect, it } from 'vitest';
import { checkJsonLimits } from '../../../src/http/admission/json-limits.ts';
import { withoutUnderflow } from '../../../src/values/json.ts';
import { shortestMs } from '../../support/shortest-ms.ts';

const check = (text: string) => () => checkJsonLimits(Buffer.from(text));
const list = (length: number, entry: (index: number) => string): string =>
  `[${Array.from({ length }, (_, index) => entry(index)).join(',')}]`;

describe('the values of a body', () => {
  it('are counted up to 500,000', () => {
    expect(check(list(500_000, () => '1'))).not.toThrow();
    expect(check(list(500_001, () => '1'))).toThrow('must have at most 500000 values and has about 500001');
    expect(check(list(250_001, () => '{}'))).toThrow('at most 500000 values');
  });

  it('are not counted within strings', () => {
    expect(check(`["${',[{'.repeat(400_000)}"]`)).not.toThrow();
    expect(check(`["\\"${',[{'.repeat(400_000)}\\\\"]`)).not.toThrow();
    expect(check(`["\\\\",${'1,'.repeat(500_001)}1]`)).toThrow('at most 500000 values');
  });

  it.each(['\\"', '\\\\', '\\\\\\"', '\\u0022'])('are not counted within long strings with %s anywhere', (escape) => {
    for (const place of [1_000, 1_024, 8_192, 9_216, 16_384].flatMap((place) => [
      place - 3,
      place - 2,
      place - 1,
      place,
    ])) {
      const text = `${'a'.repeat(place)}${escape}${',['.repeat(9_000)}${escape}`;
      expect(check(`["${text}",${'1,'.repeat(499_900)}1]`)).not.toThrow();
      expect(check(`["${text}",${'1,'.repeat(500_001)}1]`)).toThrow('has about 500003');
    }
  });

  it('have at most 5,000 different names', () => {
    expect(check(list(5_000, (index) => `{"name${index}": 1}`))).not.toThrow();
    expect(check(list(5_001, (index) => `{"name${index}": 1}`))).toThrow('at most 5000 different member names');
    expect(check(list(5_001, (index) => `{"name${index}"\n : 1}`))).toThrow('at most 5000 different member names');
    expect(check(list(5_001, (index) => `{"name\\"${index}": 1}`))).toThrow('at most 5000 different member names');
    expect(check(list(100_000, (index) => `{"name": "text ${index}"}`))).not.toThrow();
  });

  it('have at most 5,000 names that are long', () => {
    const name = 'n'.repeat(1_100);
    expect(check(list(5_001, (index) => `{"${name}${index}": 1}`))).toThrow('at most 5000 different member names');
  });

  it('have at most two strings each, also if they are not JSON', () => {
    expect(check(list(500_000, () => '{"name":""}').replaceAll('{"name":""}', '"name":""'))).not.toThrow();
    expect(check(`[${'""'.repeat(1_000_002)},1e-400]`)).toThrow('at most 1000001 texts and names');
  });

  it('are counted too if they are numbers without commas, which are not JSON', () => {
    expect(check(list(500_000, () => '1.5e-10'))).not.toThrow();
    expect(check(`[1e-400 ${'0e-1 '.repeat(500_001)}]`)).toThrow('at most 500000 values and has about 500002');
  });

  it.each(['1', '.'])('have at most 32,768 digits each: %s', (digit) => {
    expect(check(list(100, () => digit.repeat(32_768)))).not.toThrow();
    expect(check(`{"a":"${'1'.repeat(40_000)}"}`)).not.toThrow();
    expect(check(`[${digit.repeat(32_769)}]`)).toThrow('no number of more than 32768 digits');
  });

  it('have numbers of as many digits as are allowed, which the search for too small ones reads', () => {
    const json = `[1e-400,${'1'.repeat(32_768)}]`;
    expect(JSON.parse(withoutUnderflow(json))).toEqual([Infinity, Infinity]);
  });

  // docs/reliability-tests.md: 26
  it('are counted in less than half the time of JSON.parse, also in a picture of 20 MB', async () => {
    const body = Buffer.from(JSON.stringify({ base64: 'TWFu'.repeat(6_666_666) }));
    const parsedMs = await shortestMs(async () => void JSON.parse(body.toString()));
    expect(await shortestMs(async () => checkJsonLimits(body))).toBeLessThan(parsedMs / 2);
  });

  it('of invalid JSON are left to the parser', () => {
    for (const text of ['"a text without an end', '"', '"\\', ']]]', '{"name"']) expect(check(text)).not.toThrow();
  });
});
