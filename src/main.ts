import { type Config, ConfigError, loadConfig } from './config.ts';
import { type DatabaseEnvironment, openDatabaseEnvironment } from './process/database-environment.ts';
import { migrate } from './db/schema/migrate.ts';
import { issueDemoToken } from './demo/issue-demo-token.ts';
import { loadSample } from './demo/load-sample.ts';
import { openDemo } from './demo/open-demo.ts';
import { describeError } from './process/describe-error.ts';
import { type LogFormat, type Logger, logOutput, openLog } from './process/log.ts';
import { startupBanner } from './process/startup-banner.ts';
import { startArguments } from './process/start-arguments.ts';
import { startProgress } from './process/start-progress.ts';
import { startWatchdog, type Watchdog } from './process/watchdog.ts';
import { type Service, startService } from './service.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE_ERROR = 2;
const REPEATED_SIGNAL_MS = 1_000;

process.exitCode = await run();

/** Starts the service, serves until a signal, and stops. Returns the exit code. */
async function run(): Promise<number> {
  const stopped = stopSignal();
  ignoreOutputErrors();
  try {
    const config = loadConfig();
    const { hasSample } = startArguments(process.argv.slice(2), config);
    const log = openLog(config.logLevel, logOutput(logFormat(config)));
    exitOnUncaughtError(log);
    const watchdog = watch(config, log);
    const show = await startProgress(config.databaseUrl === undefined ? config.dataDir : null);
    show('database');
    const environment = await openDatabaseEnvironment(config);
    try {
      show('tables');
      await migrate(environment.ownerUrl, environment.databaseUrl, environment.acrossUrl);
      show('demo');
      if (environment.isEmbedded) await openDemo(environment);
      const service = await startService({ ...config, ...environment }, log);
      try {
        if (hasSample) await fillShop(service, log);
        await announce(config, environment, service, log);
        log.info({ signal: await stopped }, 'stopping');
      } finally {
        await service.close();
      }
    } finally {
      await environment.release();
      await watchdog?.stop();
    }
    log.info('stopped');
    return 0;
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`);
    return error instanceof ConfigError ? EXIT_USAGE_ERROR : EXIT_FAILED;
  }
}

/**
 * Called first, so that a stop during the start is clean too. Ctrl-C under npm sends two signals at once, from the
 * terminal and from npm. A later second signal ends the process immediately.
 */
async function stopSignal(): Promise<string> {
  let firstAt: number | null = null;
  return await new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        firstAt ??= performance.now();
        if (performance.now() - firstAt > REPEATED_SIGNAL_MS) process.exit(EXIT_FAILED);
        resolve(signal);
      });
    }
  });
}

/** A line that cannot be written, as on a full disk, does not end the service. The log does not write to these streams. */
function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Logged here, because Node would print customer data with the error. The next start recovers as after a crash. */
function exitOnUncaughtError(log: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'an error that nobody caught');
    process.exit(EXIT_FAILED);
  });
}

function watch({ maxEventLoopBlockedMs: maxBlockedMs, logLevel }: Config, log: Logger): Watchdog | null {
  if (maxBlockedMs === 0) return null;
  return startWatchdog({
    maxBlockedMs,
    isSilent: logLevel === 'silent',
    onError: (error) => log.error({ err: error }, 'the watchdog has failed'),
  });
}

async function fillShop({ db, across, images, webhook }: Service, log: Logger): Promise<void> {
  process.stdout.write('Loading the sample catalogue …\n');
  log.info(await loadSample({ db, across, log, webhook, ...images }), 'the sample catalogue is loaded');
}

async function announce(
  config: Config,
  { isEmbedded }: DatabaseEnvironment,
  { url, db, across }: Service,
  log: Logger,
): Promise<void> {
  log.info({ url, role: config.role, database: isEmbedded ? 'embedded' : 'configured' }, 'ready');
  const token = isEmbedded ? await issueDemoToken({ db, across }) : null;
  const database = config.databaseUrl ?? null;
  const banner = startupBanner({ url, role: config.role, dataDir: config.dataDir, databaseUrl: database, token });
  // A program that reads the log of a production service gets nothing else on standard output.
  const isLogAlone = !isEmbedded && logFormat(config) === 'json';
  (isLogAlone ? process.stderr : process.stdout).write(banner);
}

function logFormat(config: Config): LogFormat {
  return config.logFormat ?? (process.stdout.isTTY ? 'text' : 'json');
}
