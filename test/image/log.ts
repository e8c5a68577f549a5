import type { Logger } from '../../src/context.ts';

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
