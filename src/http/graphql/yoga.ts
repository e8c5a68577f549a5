import { createYoga, type Plugin } from 'graphql-yoga';
import { createExecute, type Execute } from '../../graphql/execute/execute.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';

/**
 * Yoga's engine with our execution in it. Plugins that watch or change executions go in here. It is made once: one
 * for each request, which Yoga offers too, was a tenth of the processor time of `{ me { id } }`.
 */
export function createEngine(schema: GraphQLSchema): Execute {
  const yoga = createYoga({
    schema,
    plugins: [ourExecution(schema)],
    maskedErrors: false,
    logging: false,
    graphiql: false,
    landingPage: false,
  });
  const { execute } = yoga.getEnveloped();
  return execute as Execute;
}

function ourExecution(schema: GraphQLSchema): Plugin {
  const execute = createExecute(schema);
  return { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) };
}
