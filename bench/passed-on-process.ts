import { availableParallelism } from 'node:os';
import fastify from 'fastify';
import postgres from 'postgres';
import type { Parameter, PassedOnStatement } from './passed-on.ts';

/** With the service's number of connections and its setting for plans. */
const client = postgres(process.env.DATABASE_URL!, {
  max: availableParallelism() + 2,
  fetch_types: false,
  connection: { plan_cache_mode: 'force_generic_plan' },
});
const statements = JSON.parse(process.env.STATEMENTS!) as Record<string, PassedOnStatement>;

const app = fastify();
app.get('/', () => 'ready');
for (const [path, { text, parameters }] of Object.entries(statements))
  app.post(path, async ({ body }, reply) => {
    const { variables } = body as { variables: unknown };
    const values = parameters.map((parameter) => valueOf(parameter, variables));
    const rows = await client.unsafe<{ data: string }[]>(text, values, { prepare: true }).values();
    let answer = '{"data":{';
    for (const row of rows) answer += row[0];
    reply.type('application/json');
    return `${answer}}}`;
  });
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

function valueOf(parameter: Parameter, variables: unknown): string {
  if ('fixed' in parameter) return parameter.fixed;
  let value = variables;
  for (const name of parameter.path) value = (value as Record<string, unknown>)[name];
  return parameter.isTime ? new Date(value as number).toISOString() : String(value);
}
