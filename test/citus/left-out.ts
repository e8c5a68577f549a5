/** Files that do not run on a cluster, with the reason. The setup prints them. */
export const LEFT_OUT: Record<string, string> = {
  'test/attack/**': 'measure times of a machine that a cluster would share',
  'test/bench/**': 'measure plans of plain PostgreSQL',
  'test/cli/**': 'need a database of their own, which cannot be copied from a template',
  'test/contract/**': 'read sources, or the catalogue of plain PostgreSQL',
  'test/db/embedded/**': 'start the embedded server',
  'test/db/schema/**': 'migrate databases of their own',
  'test/db/connection/restart.test.ts': 'kills a server of its own',
  'test/faults/**': 'kill a server of their own',
  'test/fuzz/**': 'take longer than a suite',
  'test/main.test.ts': 'starts the embedded server',
  'test/product/list-plans.test.ts': 'reads plans of plain PostgreSQL',
  'test/product/search/search-plans.test.ts': 'reads plans of plain PostgreSQL',
};
