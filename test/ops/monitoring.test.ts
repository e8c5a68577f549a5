import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs, shell } from '../support/programs.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';

const PROMETHEUS = new URL('../../ops/prometheus/', import.meta.url);
const DASHBOARD = new URL('../../ops/grafana/dashboard.json', import.meta.url);
/** Metrics of Prometheus itself. */
const OTHER_METRICS = ['up'];

type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

describe('the rules', () => {
  it('are valid, and fire exactly in the cases of their tests', async (context) => {
    await needs(context, 'promtool', 'prometheus');
    for (const args of [
      ['check', 'rules', 'rules.yml'],
      ['check', 'config', 'prometheus.yml'],
      ['test', 'rules', 'rules.test.yml'],
    ])
      expect((await shell('promtool', args, { cwd: PROMETHEUS })).stdout).toContain('SUCCESS');
  });

  it('have a test each', () => {
    const alerts = [...rules().matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
    const tests = readFileSync(new URL('rules.test.yml', PROMETHEUS), 'utf8');
    expect(alerts.length).toBeGreaterThan(5);
    expect(alerts.filter((name) => !new RegExp(`alertname: ${name}\\n\\s+exp_alerts:`).test(tests))).toEqual([]);
  });
});

describe('the metrics of rules and dashboard', () => {
  let service: TestService;
  let names: Set<string>;
  beforeAll(async () => {
    service = await startTestService();
    const text = await (await fetch(`${service.url}/metrics`)).text();
    names = new Set([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name, type]) => seriesOf(name!, type!)));
  });
  afterAll(() => service.stop());

  it.each([
    [
      'rules.yml',
      () =>
        rules()
          .split('\n')
          .filter((line) => !/^\s*(#|summary|action|- alert|labels)/.test(line)),
    ],
    ['dashboard.json', () => dashboard().panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))],
  ])('exist: %s', (_, expressions) => {
    const used = expressions().flatMap((text) => text.match(/\b[a-z]+_[a-z0-9_]+(?=[{[ )!]|$)/g) ?? []);
    const functions = /^(histogram_quantile|min_over_time)$/;
    const metrics = [...new Set(used)].filter((name) => !functions.test(name));
    expect(metrics.length).toBeGreaterThan(5);
    expect(metrics.filter((name) => !names.has(name) && !OTHER_METRICS.includes(name))).toEqual([]);
  });

  it("are all on the dashboard if they are the service's own", () => {
    const shown = JSON.stringify(dashboard());
    const own = [...names].filter((name) => !/^(nodejs|process)_|_(sum|count|bucket)$/.test(name));
    expect(own.filter((name) => !shown.includes(name) && !shown.includes(`${name}_bucket`)).toSorted()).toEqual([
      // Not shown, because deliveries by outcome say more.
      'webhook_attempts_total',
    ]);
  });
});

function rules(): string {
  return readFileSync(new URL('rules.yml', PROMETHEUS), 'utf8');
}

function dashboard(): Dashboard {
  return JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
}

function seriesOf(name: string, type: string): string[] {
  return type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}
