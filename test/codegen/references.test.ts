import { buildSchema, type GraphQLInputObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { referencesOf } from '../../codegen/references.ts';

const SDL = `
directive @reference(to: String!, partOf: String, again: Boolean = true) on INPUT_FIELD_DEFINITION
directive @ownId on INPUT_FIELD_DEFINITION
directive @ignored on INPUT_FIELD_DEFINITION
input RecordInput {
  id: String @ownId
  name: String
  brandId: String @reference(to: "Brand")
  tagIds: [String!] @reference(to: "Tag", again: false)
  types: [TypeInput!]!
  former: String @ignored @reference(to: "Brand")
  settings: SettingsInput
  variants: [VariantInput!]!
}
input TypeInput { typeId: String! @reference(to: "Type"), valueIds: [String!]! @reference(to: "Value", partOf: "typeId") }
input SettingsInput { products: [PartInput!]! }
input PartInput { productId: String! @reference(to: "Product") }
input VariantInput { id: String @ownId, priceListId: String @reference(to: "PriceList") }
`;

describe('the references of an input', () => {
  const schema = buildSchema(`${SDL} type Query { any(input: RecordInput): Int }`);

  it('are listed by path, with those of value objects and without those of records that it holds', () => {
    expect(referencesOf(schema.getType('RecordInput') as GraphQLInputObjectType)).toEqual([
      { path: 'brandId', to: 'Brand' },
      { path: 'tagIds[]', to: 'Tag', again: false },
      { path: 'types[].typeId', to: 'Type' },
      { path: 'types[].valueIds[]', to: 'Value', partOf: 'typeId' },
      { path: 'settings.products[].productId', to: 'Product' },
    ]);
  });

  it('name the member that a part belongs to', () => {
    const wrong = buildSchema(
      `${SDL.replace('partOf: "typeId"', 'partOf: "type"')} type Query { any(input: RecordInput): Int }`,
    );
    expect(() => referencesOf(wrong.getType('RecordInput') as GraphQLInputObjectType)).toThrow(
      'TypeInput.valueIds[] is part of type, which is no member of TypeInput',
    );
  });
});
