import type { Context } from '../context.ts';
import type { PipelineStep } from '../db/connection/pipeline.ts';
import { markDeleted } from '../db/write/delete.ts';
import type { OnlyColumns } from '../db/write/saved-record.ts';
import { upsert } from '../db/write/write.ts';
import { mergeOptionList, type OptionInput, type OptionRow } from './option-list.ts';
import { type OptionKind, storedOptions } from './stored-options.ts';

type OptionWrites = { steps: PipelineStep[]; live: ReadonlySet<string>; isChanged: boolean };

/** The steps that write the options, and the ids of the options afterwards. Without a list the stored options stay. */
export async function optionWrites<Option extends OptionInput>(
  ctx: Context,
  kind: OptionKind,
  ownerId: string,
  options: readonly OnlyColumns<Option, OptionRow>[] | null | undefined,
): Promise<OptionWrites> {
  const stored = await storedOptions(ctx, kind, ownerId, options ?? []);
  if (options === undefined)
    return { steps: [], live: new Set(stored.filter(({ deleted }) => !deleted).map(({ id }) => id)), isChanged: false };
  const { rows, released, live, isChanged } = mergeOptionList(stored, options ?? [], kind);
  const written = upsert(
    ctx,
    kind.table,
    ['id'],
    rows.map((row) => ({ ...row, [kind.owner]: ownerId }) as never),
  );
  return { steps: [...markDeleted(ctx, kind.table, released), ...written], live, isChanged };
}
