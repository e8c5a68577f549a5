import { clockText, localText } from './times.ts';

export type Hour = { at: number; deliveredCount: number; failedCount: number };

const HOUR_MS = 3_600_000;
/** Whole hours: the 24 hours until now begin within the first and end within the last. */
const HOURS = 25;
const BAR_WIDTH = 10;
const GAP = 2;
const HEIGHT = 60;
/** Space for the scale at the left and for the hours below. */
const LEFT = 30;
const BELOW = 14;
/** Every so many hours the hour is written below its bar. */
const LABELLED_HOURS = 6;
/** The height of the smallest bar, so that a few requests stay visible beside thousands. */
const MIN_BAR_HEIGHT = 2;

/** A chart with a bar for each hour in which the last 24 hours lie: delivered requests at the bottom, failed ones on top. */
export function HoursChart({ hours }: { hours: Hour[] }) {
  const latest = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const byTime = new Map(hours.map((hour) => [hour.at, hour]));
  const shown = Array.from({ length: HOURS }, (_, index) => {
    const at = latest - (HOURS - 1 - index) * HOUR_MS;
    return byTime.get(at) ?? { at, deliveredCount: 0, failedCount: 0 };
  });
  const most = Math.max(1, ...shown.map(({ deliveredCount, failedCount }) => deliveredCount + failedCount));
  const [delivered, failed] = [sumOf(shown, 'deliveredCount'), sumOf(shown, 'failedCount')];
  if (delivered + failed === 0) return <p class="muted">No request in the last 24 hours.</p>;
  const width = LEFT + HOURS * (BAR_WIDTH + GAP);
  const label = `Requests by the hour: ${delivered} delivered, ${failed} failed, at most ${most} in one hour.`;
  return (
    <figure>
      <svg role="img" aria-label={label} viewBox={`0 -6 ${width} ${HEIGHT + BELOW + 6}`} class="chart">
        <line class="axis" x1={LEFT} y1={HEIGHT} x2={width} y2={HEIGHT} />
        <line class="axis" x1={LEFT} y1={MIN_BAR_HEIGHT} x2={width} y2={MIN_BAR_HEIGHT} />
        <text x={LEFT - 4} y={MIN_BAR_HEIGHT + 3} class="scale">
          {most}
        </text>
        <text x={LEFT - 4} y={HEIGHT} class="scale">
          0
        </text>
        {shown.map((hour, index) => (
          <Bar
            key={hour.at}
            hour={hour}
            x={LEFT + index * (BAR_WIDTH + GAP)}
            isLabelled={index % LABELLED_HOURS === 2}
            most={most}
          />
        ))}
      </svg>
      <figcaption>
        24 hours until now: <span class="key good">{delivered} delivered</span>{' '}
        <span class="key bad">{failed} failed</span>
      </figcaption>
    </figure>
  );
}

function Bar({ hour, x, most, isLabelled }: { hour: Hour; x: number; most: number; isLabelled: boolean }) {
  const [delivered, failed] = [heightOf(hour.deliveredCount, most), heightOf(hour.failedCount, most)];
  return (
    <g>
      <title>{`${localText(hour.at)}: ${hour.deliveredCount} delivered, ${hour.failedCount} failed`}</title>
      <rect class="good" x={x} y={HEIGHT - delivered} width={BAR_WIDTH} height={delivered} />
      <rect class="bad" x={x} y={HEIGHT - delivered - failed} width={BAR_WIDTH} height={failed} />
      {isLabelled && (
        <text x={x + BAR_WIDTH / 2} y={HEIGHT + BELOW - 3} class="hour">
          {clockText(hour.at)}
        </text>
      )}
    </g>
  );
}

function heightOf(count: number, most: number): number {
  if (count === 0) return 0;
  return Math.max(MIN_BAR_HEIGHT, Math.round((count / most) * (HEIGHT - MIN_BAR_HEIGHT)));
}

function sumOf(hours: Hour[], name: 'deliveredCount' | 'failedCount'): number {
  return hours.reduce((sum, hour) => sum + hour[name], 0);
}
