import { expect, it } from 'vitest';
import { brandProjection } from '../../../src/brand/brand.ts';
import type { ReadContext } from '../../../src/db/read/complete-records.ts';
import { listOperation, pageOperation } from '../../../src/db/read/record-list.ts';

it('an argument that no filter reads is a type error', () => {
  const args = { id: null, description: { eq: 'a' } };
  const list = listOperation({ projection: brandProjection });
  const page = pageOperation({ projection: brandProjection });
  const calls = [
    // @ts-expect-error: nothing reads it.
    (ctx: ReadContext) => list(ctx, args, {}),
    // @ts-expect-error: nothing reads it.
    (ctx: ReadContext) => page(ctx, args, {}),
    (ctx: ReadContext) => list(ctx, { id: null }, {}),
  ];
  expect(calls).toHaveLength(3);
});
