import type { Context } from '../context.ts';
import { inSnapshot } from '../db/connection/transaction.ts';
import { argumentInvalid } from '../errors.ts';
import type { QueryExportCustomerArgs } from '../graphql/generated/types.ts';
import { exportedPerson } from './exported-person.ts';

const MAX_BYTES = 16 * 1024 * 1024;

export async function exportCustomer(ctx: Context, { id }: QueryExportCustomerArgs): Promise<string> {
  return await inSnapshot(ctx, async (ctx) => {
    const pieces: string[] = [];
    let bytes = 0;
    for await (const piece of exportedPerson(ctx, id)) {
      bytes += Buffer.byteLength(piece);
      if (bytes > MAX_BYTES) throw tooLarge();
      pieces.push(piece);
    }
    return pieces.join('');
  });
}

function tooLarge(): Error {
  const message = `has more than ${MAX_BYTES} bytes: the command \`commerce customer export\` writes any size`;
  return argumentInvalid([{ path: ['id'], message }]);
}
