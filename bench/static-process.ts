import fastify from 'fastify';

/** The cost of the HTTP server alone: one fixed response. */
const app = fastify();
app.post('/', (_, reply) =>
  reply.type('application/json').send('{"data":{"me":{"id":"019b76da-a800-7001-8001-000000000000","name":"Bench"}}}'),
);
app.get('/', () => 'ready');
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
