import { promises } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before the service: its resolver uses this name server instead of the machine's. */
const nameServer = process.env['NAME_SERVER']!;

promises.Resolver = class extends promises.Resolver {
  constructor(...options: ConstructorParameters<typeof promises.Resolver>) {
    super(...options);
    this.setServers([nameServer]);
  }
};
syncBuiltinESMExports();
