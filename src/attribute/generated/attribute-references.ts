// Written by `npm run codegen` from @reference in schema/attribute.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const attributeReferences = {
  ProductAttributeInput: [
    { path: 'translations[].options[].id', to: 'ProductAttributeOption' },
  ],
} satisfies Record<string, readonly Reference[]>;
