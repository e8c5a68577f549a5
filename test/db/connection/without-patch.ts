import { registerHooks } from 'node:module';

/** For `--import`: loads the driver without the patch. */
registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/postgres/src/index.js')) return loaded;
    return { ...loaded, source: (loaded.source as Buffer).toString().replace('isPatched: true,', '') };
  },
});
