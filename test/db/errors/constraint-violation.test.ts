import { expect, it } from 'vitest';
import { translateConstraint } from '../../../src/db/errors/constraint-violation.ts';

const MESSAGE = 'duplicate key value violates unique constraint';

it.each([
  ['the constraint in its field', { constraint_name: 'product_brand_name_key', message: `${MESSAGE} "other"` }],
  ["a shard's constraint in its field", { constraint_name: 'product_brand_name_key_102082', message: MESSAGE }],
  ["a shard's constraint in the message only", { message: `${MESSAGE} "product_brand_name_key_102082"` }],
])('names the record and the member if the error has %s', (_, error) => {
  expect(translateConstraint({ code: '23505', ...error })).toMatchObject({
    code: 'CONFLICT',
    message: 'Another product brand already has this name.',
  });
});

it('has a general message if the error names no constraint', () => {
  expect(translateConstraint({ code: '23505', message: MESSAGE })).toMatchObject({
    message: 'Another record already has this value.',
  });
});

it.each([
  ['product_source_id_key', 'Another product already has this sourceId.'],
  ['variant_value_name_key', 'Another variant value already has this name.'],
  ['webhook_scope_key', 'Another webhook already has this scope.'],
  ['product_pkey', 'Another record already has this value.'],
])('names the member of %s as the SDL does', (constraint_name, message) => {
  expect(translateConstraint({ code: '23505', constraint_name, message: MESSAGE })).toMatchObject({ message });
});
