import { z } from 'zod';
import { argumentInvalid, invalidAt, type Issue } from '../errors.ts';
import { number } from '../field-input.ts';

/** An upload reads the images of all variants that it names, up to 1,000 each, so their number is limited. */
const MAX_IDS = 250;
const KINDS = ['productImage', 'categoryImage', 'brandImage'] as const;
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

type Kind = (typeof KINDS)[number];
type Path = Issue['path'];

/** The records that get the picture. `idsPath` is the input member with their ids. */
export type ImageTarget =
  | {
      readonly kind: 'variant';
      readonly ids: string[];
      readonly idsPath: Path;
      readonly order: number;
      readonly isMain: boolean;
    }
  | { readonly kind: 'category' | 'brand'; readonly ids: string[]; readonly idsPath: Path };

/** The source of the picture. `path` is its input member. */
export type ImageSource =
  | { readonly kind: 'url' | 'base64'; readonly text: string; readonly path: Path }
  | { readonly kind: 'file'; readonly path: Path };

export type ImageUpload = { readonly target: ImageTarget; readonly source: ImageSource };

/** Parses the JSON object of an upload: the whole body, or the field `input` of a form that may have a `file`. */
export function readImageUpload(body: unknown, { hasFile }: { hasFile: boolean }): ImageUpload {
  const upload = objectAt(hasFile ? 'input' : 'body', body);
  const kind = onlyKind(upload);
  const member = objectAt(kind, upload[kind]);
  const target = targetInputs[kind].safeParse(member);
  const source = sourceInput(kind, hasFile).safeParse(member);
  if (target.success && source.success) {
    return { target: target.data, source: source.data };
  }
  const issues = [...(target.error?.issues ?? []), ...(source.error?.issues ?? [])];
  throw argumentInvalid(issues.map(({ path, message }) => ({ path: [kind, ...(path as Path)], message })));
}

function objectAt(name: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidAt([name], 'must be an object');
  }
  return value as Record<string, unknown>;
}

// Here and below, null means left out.
function onlyKind(upload: Record<string, unknown>): Kind {
  const sent = KINDS.filter((kind) => upload[kind] !== undefined && upload[kind] !== null);
  if (sent.length === 1) {
    return sent[0]!;
  }
  const message = `send exactly one of ${KINDS.join(', ')}`;
  throw argumentInvalid((sent.length === 0 ? KINDS : sent).map((kind) => ({ path: [kind], message })));
}

// The length is checked before the elements: each of half a million would be a mistake in the answer otherwise.
const ids = z
  .array(z.unknown(), 'must be a list of ids')
  .min(1, 'must name at least one id')
  .max(MAX_IDS, `must name at most ${MAX_IDS} ids`)
  .pipe(z.array(z.string('must be a string')))
  .transform((list) => [...new Set(list)]);
const order = z.union([z.number(), z.string().regex(DECIMAL).transform(Number)], 'must be a number').pipe(number());
const isMain = z.union(
  [z.boolean(), z.literal(['true', 'false']).transform((word) => word === 'true')],
  'must be true or false',
);
const source = z.string('must be a string');

const targetInputs: Record<Kind, z.ZodType<ImageTarget>> = {
  productImage: z.object({ variantIds: ids, order, isMain: isMain.nullish() }).transform((input) => ({
    kind: 'variant',
    ids: input.variantIds,
    idsPath: ['productImage', 'variantIds'],
    order: input.order,
    isMain: input.isMain ?? false,
  })),
  categoryImage: z.object({ categoryIds: ids }).transform(({ categoryIds }) => ({
    kind: 'category',
    ids: categoryIds,
    idsPath: ['categoryImage', 'categoryIds'],
  })),
  brandImage: z.object({ categoryIds: ids.nullish(), brandIds: ids.nullish() }).transform((input, check) => {
    const [name, another] = (['categoryIds', 'brandIds'] as const).filter((member) => input[member]);
    if (another) {
      check.addIssue({ code: 'custom', path: [another], message: 'is another name of categoryIds; send one of them' });
    }
    if (!name) {
      check.addIssue({ code: 'custom', path: ['categoryIds'], message: 'must be a list of ids' });
    }
    return { kind: 'brand', ids: (name && input[name]) ?? [], idsPath: ['brandImage', name ?? 'categoryIds'] };
  }),
};

/** One of `url` and `base64` may be empty: clients that always send both leave the unused one so. */
function sourceInput(kind: Kind, hasFile: boolean): z.ZodType<ImageSource> {
  return z.object({ url: source.nullish(), base64: source.nullish() }).transform((input, check) => {
    const [name, another] = (['url', 'base64'] as const).filter((member) => input[member]);
    if (name && hasFile) {
      check.addIssue({ code: 'custom', path: [name], message: 'must not be sent together with a file' });
    }
    if (another) {
      check.addIssue({ code: 'custom', path: [another], message: 'must not be sent together with url' });
    }
    if (!name && !hasFile) {
      const path = [input.base64 === '' ? 'base64' : 'url'];
      check.addIssue({ code: 'custom', path, message: 'send either url or base64' });
    }
    return name ? { kind: name, text: input[name]!, path: [kind, name] } : { kind: 'file', path: ['file'] };
  });
}
