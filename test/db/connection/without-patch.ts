import { registerHooks } from 'node:module';

/** For `--import`: the driver as it is where its patch was not applied. */
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/postgres/src/index.js')) return loaded;
    return { ...loaded, source: (loaded.source as Buffer).toString().replace('isPatched: true,', '') };
  },
});
