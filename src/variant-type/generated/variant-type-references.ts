// Written by `npm run codegen` from @reference in schema/variant-type.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const variantTypeReferences = {
  VariantTypeInput: [
    { path: 'translations[].values[].id', to: 'VariantValue' },
  ],
} satisfies Record<string, readonly Reference[]>;
