// Written by `npm run codegen` from @reference in schema/brand.graphql. Do not edit.
import type { Reference } from '../../db/write/references.ts';

export const brandReferences = {
  ProductBrandInput: [
    { path: 'salesChannelIds[]', to: 'SalesChannel' },
  ],
} satisfies Record<string, readonly Reference[]>;
