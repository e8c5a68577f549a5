import { SingleBar } from 'cli-progress';
import { terminalColumns } from './wrap-text.ts';

/** Columns for the text behind the bar. */
const TEXT_COLUMNS = 62;
const MAX_BAR_COLUMNS = 40;
const MIN_BAR_COLUMNS = 8;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/**
 * A progress bar on a terminal; elsewhere it shows nothing. `counts` is what stands behind the bar. Without a total there
 * is no bar.
 */
export function progressBar(counts: string, hasTotal = true): SingleBar {
  const room = terminalColumns(process.stderr) - TEXT_COLUMNS;
  return new SingleBar({
    stream: process.stderr,
    barsize: Math.min(Math.max(room, MIN_BAR_COLUMNS), MAX_BAR_COLUMNS),
    format: hasTotal ? `{bar} {percentage}% | ${counts}{eta_formatted}` : counts,
    formatTime: (seconds) => remainingText(seconds),
  });
}

/** Empty at the end, and while there is no estimate: the library then passes a text instead of a number. */
export function remainingText(seconds: unknown): string {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) return '';
  if (seconds < MINUTE_S) return ` | ${seconds} s left`;
  if (seconds < HOUR_S) return ` | ${Math.ceil(seconds / MINUTE_S)} min left`;
  return ` | ${Math.floor(seconds / HOUR_S)} h ${Math.ceil((seconds % HOUR_S) / MINUTE_S)} min left`;
}
