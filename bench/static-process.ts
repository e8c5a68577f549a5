import fastify from 'fastify';

/** What the HTTP server itself costs: one answer for every request, with nothing behind it. */
const app = fastify();
app.post('/', (_, reply) =>
  reply.type('application/json').send('{"data":{"me":{"id":"019b76da-a800-7001-8001-000000000000","name":"Bench"}}}'),
);
app.get('/', () => 'ready');
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
