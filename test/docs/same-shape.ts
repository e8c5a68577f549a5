const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Paths of texts that must be equal: error codes, which are part of the contract, and what the page or the demo names. */
const EQUAL_TEXT = /(?:extensions\.code|^answer\.(?:code|error)|\.(?:name|appName|scope))$/;
/** Numbers that depend on what else the test has sent, on its receiver of webhooks, or on the order of holds made at once. */
const VARYING = ['currentlyAvailable', 'statusCode', 'queuedCount', 'unchangedCount', 'quantity'];
/** Larger numbers are times. */
const MAX_NUMBER = 1_000_000_000_000;
/** Members whose values later examples of the page use. */
const LEARNED = ['endCursor'];

/** Ids and cursors shown on the page, with those that the service has answered. */
export type Learned = Map<string, string>;

/**
 * Differences between an answer and the one on the page: in members, types, numbers, names or error codes. Adds ids and cursors to
 * `learned`, so that later examples can use the ids shown on the page.
 */
export function differences(shown: unknown, actual: unknown, learned: Learned, path = 'answer'): string[] {
  if (Array.isArray(shown) && Array.isArray(actual)) {
    if (shown.length > 0 && actual.length === 0) return [`${path} is empty`];
    if (shown.length === 0 && actual.length > 0) return [`${path} is not empty`];
    const pairs = shown.slice(0, actual.length);
    return pairs.flatMap((entry, index) => differences(entry, actual[index], learned, `${path}.${index}`));
  }
  if (isObject(shown) && isObject(actual)) return memberDifferences(shown, actual, learned, path);
  if (shown === null || actual === null) return shown === actual ? [] : [`${path} is ${JSON.stringify(actual)}`];
  if (typeof shown !== typeof actual || Array.isArray(shown) !== Array.isArray(actual))
    return [`${path} is ${JSON.stringify(actual)}`];
  const name = path.split('.').at(-1)!;
  const isEqual = EQUAL_TEXT.test(path) || (typeof shown === 'number' && shown < MAX_NUMBER && !VARYING.includes(name));
  if (isEqual && shown !== actual) return [`${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(shown)}`];
  if (typeof shown === 'string' && typeof actual === 'string' && (UUID.test(shown) || LEARNED.includes(name)))
    learned.set(shown, actual);
  return [];
}

function memberDifferences(
  shown: Record<string, unknown>,
  actual: Record<string, unknown>,
  learned: Learned,
  path: string,
): string[] {
  const missing = Object.keys(shown).filter((name) => !(name in actual));
  const more = Object.keys(actual).filter((name) => !(name in shown));
  const both = Object.keys(shown).filter((name) => name in actual);
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...more.map((name) => `${path}.${name} is not shown: ${JSON.stringify(actual[name])}`),
    ...both.flatMap((name) => differences(shown[name], actual[name], learned, `${path}.${name}`)),
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The differences of a response with head: also those of the status and of the shown headers. */
export function headDifferences(shown: string, actual: string, learned: Learned): string[] {
  const [one, other] = [headOf(shown), headOf(actual)];
  const status = one.status === other.status ? [] : [`the status is ${other.status}, not ${one.status}`];
  const headers = [...one.headers].flatMap(([name, value]) => {
    const sent = other.headers.get(name);
    return sent === undefined ? [`the header ${name} is missing`] : differences(value, sent, learned, `header ${name}`);
  });
  return [...status, ...headers, ...(one.body === '' ? [] : jsonDifferences(one.body, other.body, learned))];
}

/** The differences of two JSON texts. */
export function jsonDifferences(shown: string, actual: string, learned: Learned): string[] {
  if (!actual.trim().startsWith('{') && !actual.trim().startsWith('"')) return [`not JSON: ${actual}`];
  return differences(JSON.parse(shown), JSON.parse(actual), learned);
}

function headOf(response: string): { status: string; headers: Map<string, string>; body: string } {
  const [head = '', ...body] = response.replaceAll('\r\n', '\n').trim().split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const headers = lines.map((line) => /^([^:]+): *(.*)$/.exec(line)!);
  return {
    status: first.split(' ')[1]!,
    headers: new Map(headers.map(([, name, value]) => [name!.toLowerCase(), value!])),
    body: body.join('\n\n'),
  };
}
