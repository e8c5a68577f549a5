import { createServer } from 'node:http';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { postgraphile } from 'postgraphile';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

/** PostGraphile as its manual sets it up. Anybody may ask: no token is checked. */
const serv = postgraphile({
  extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset],
  // Otherwise it offers no order by columns that have no index of their own, as `position` in a product.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  // Lists beside connections, so that its answers need no `nodes`.
  schema: { defaultBehavior: '+list' },
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'] })],
  grafserv: { graphiql: false, watch: false },
}).createServ(grafserv);

const server = createServer();
await serv.addTo(server);
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
