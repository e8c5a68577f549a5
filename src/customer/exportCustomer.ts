import type { Context } from '../context.ts';
import { inSnapshot } from '../db/connection/transaction.ts';
import { CommerceError, invalidAt } from '../errors.ts';
import type { QueryExportCustomerArgs } from '../graphql/generated/types.ts';
import { exportedPerson } from './exported-person.ts';

const MAX_BYTES = 16 * 1024 * 1024;

export async function exportCustomer(ctx: Context, { id }: QueryExportCustomerArgs): Promise<string> {
  return await inSnapshot(ctx, async (ctx) => {
    const pieces: string[] = [];
    let bytes = 0;
    try {
      for await (const piece of exportedPerson(ctx, id)) {
        // The text is sent as a string in JSON.
        bytes += Buffer.byteLength(JSON.stringify(piece));
        if (bytes > MAX_BYTES) throw tooLarge();
        pieces.push(piece);
      }
    } catch (error) {
      // What is read counts too. Its refusal asks for a smaller page, which this query does not have.
      throw error instanceof CommerceError && error.code === 'ARGUMENT_VALIDATION_ERROR' ? tooLarge() : error;
    }
    return pieces.join('');
  });
}

function tooLarge(): CommerceError {
  const message = `has more than ${MAX_BYTES} bytes: the command \`commerce customer export\` writes any size`;
  return invalidAt(['id'], message);
}
