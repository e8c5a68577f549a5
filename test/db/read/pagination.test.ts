import { describe, expect, it } from 'vitest';
import { product } from '../../../drizzle/product.ts';
import { afterCursor, encodeCursor, idKey, instantKey, nameKey, order } from '../../../src/db/read/pagination.ts';
import { newId } from '../../../src/db/sql/id.ts';

const keys = { createdAt: instantKey(product.createdAt), name: nameKey(product.name), recorded: idKey(product.id) };
const id = newId();
const isTaken = (sort: string, key: string, by = id): boolean => {
  const wanted = order(sort, keys);
  try {
    afterCursor(encodeCursor('product', wanted, key, by), 'product', wanted, product.id);
    return true;
  } catch (error) {
    expect(error).toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['pagination', 'after'] }] },
    });
    return false;
  }
};

describe('a cursor', () => {
  it('can contain any key of a row', () => {
    expect(['-62135596800000', '0', '253402300799999'].every((key) => isTaken('-createdAt', key))).toBe(true);
    expect(['', 'a', '\u0001'.repeat(255), '\u{1f3fb}'.repeat(255)].every((key) => isTaken('name', key))).toBe(true);
    expect(isTaken('-recorded', id)).toBe(true);
  });

  it('cannot contain a time outside the years 1 to 9999, nor a text that PostgreSQL cannot store', () => {
    expect(
      ['-62135596800001', '253402300800000', '999999999999999', '1.5', '0x1', ' 1', ''].some((key) =>
        isTaken('-createdAt', key),
      ),
    ).toBe(false);
    expect(['a\0', '\ud800', 'x'.repeat(5_000)].some((key) => isTaken('name', key))).toBe(false);
    expect(isTaken('-recorded', 'x')).toBe(false);
    expect(['', 'x', id.toUpperCase()].some((by) => isTaken('name', 'a', by))).toBe(false);
  });

  it('belongs to one list and sort order, and has only one encoding', () => {
    const wanted = order('name', keys);
    const cursor = encodeCursor('product', wanted, 'a', id);
    expect(() => afterCursor(cursor, 'product', wanted, product.id)).not.toThrow();
    for (const other of [
      `${cursor}=`,
      `${cursor} `,
      `${cursor}!`,
      encodeCursor('product', order('-name', keys), 'a', id),
      encodeCursor('customer', wanted, 'a', id),
      Buffer.from(JSON.stringify(['product', 'name', 'a', id, 1])).toString('base64url'),
    ]) {
      expect(() => afterCursor(other, 'product', wanted, product.id)).toThrow('endCursor');
    }
  });
});

describe('a sort', () => {
  it.each([
    ['name asc', 'name'],
    ['name:Asc', 'name'],
    ['createdAt desc', '-createdAt'],
    ['createdAt:desc', '-createdAt'],
    ['createdAt DESC', '-createdAt'],
  ])('%s has the order and the cursors of %s', (sort, canonical) => {
    expect(order(sort, keys)).toEqual(order(canonical, keys));
  });

  it.each(['-name desc', 'name  desc', 'name desc ', 'name,desc', ' desc', 'desc', 'name descending'])(
    '"%s" is refused',
    (sort) => {
      expect(() => order(sort, keys)).toThrow('must be one of createdAt, name, recorded');
    },
  );
});
