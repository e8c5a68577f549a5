import { EXACT_RUN, MovementRun } from '../test/stock/kills/movement-run.ts';

const SERVICE_KILLS = 10;
const DATABASE_KILLS = 3;

/** Exits with code 1 if anything was wrong. */
export async function kills(entries: number): Promise<void> {
  const run = await MovementRun.start();
  try {
    const result = await run.play({ entries, serviceKills: SERVICE_KILLS, databaseKills: DATABASE_KILLS });
    for (const [name, value] of Object.entries(result)) {
      const isWrong = name in EXACT_RUN && (value as unknown[]).length > 0;
      if (isWrong) process.exitCode = 1;
      console.log(`${name.padEnd(16)} ${isWrong ? 'WRONG ' : ''}${JSON.stringify(value)}`);
    }
  } finally {
    await run.stop();
  }
}
