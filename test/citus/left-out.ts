/** Files that do not run on a cluster, with the reason. The setup prints them. */
export const LEFT_OUT: Record<string, string> = {
  'test/attack/**': 'measure times of a machine that a cluster would share',
  'test/bench/**': 'measure plans of plain PostgreSQL',
  'test/cli/**': 'need a database of their own, which cannot be copied from a template',
  'test/clients/**': 'compile what the SDL generates',
  'test/contract/**': 'read sources, or the catalogue of plain PostgreSQL',
  'test/db/connection/**': 'test driver and pool with tables and servers of their own',
  'test/db/embedded/**': 'start the embedded server',
  'test/db/schema/**':
    'migrate databases of their own; test/citus/migrations.test.ts has what a cluster does otherwise',
  'test/faults/**': 'kill a server of their own',
  'test/fuzz/**': 'take longer than a suite',
  'test/http/server/fuzz.test.ts': 'sends thousands of generated requests, none of which a cluster answers otherwise',
  'test/main.test.ts': 'starts the embedded server',
  'test/ops/**': 'run programs on a database of their own',
  'test/product/list-plans.test.ts': 'reads plans of plain PostgreSQL',
  'test/webhook/delivery-plans.test.ts': 'reads plans of plain PostgreSQL',
  'test/worker/webhooks/idle.test.ts': 'counts the statements in the log of a server of its own',
  'test/worker/webhooks/ledger.test.ts': 'kills a server of its own',
  'test/product/search/search-plans.test.ts': 'reads plans of plain PostgreSQL',
};
