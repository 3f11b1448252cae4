import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
import { cssTargets } from './src/integrations/browsers.ts'
import { demand } from './src/integrations/demand.ts'
import { devToggle } from './src/integrations/devToggle.ts'
import { emojis } from './src/integrations/emojis.ts'
import { ownRoutes } from './src/integrations/own-routes.ts'
import { contentPolicy, csp } from './src/integrations/policy.ts'
import { pwa } from './src/integrations/pwa.ts'
import { fastRendering } from './src/integrations/render/render.ts'

/** The development server has no scripts/serve.ts before it: photos, the live stream and the map's worker stand here. */
const deliveredInDevelopment = {
  name: 'perrario-delivered',
  hooks: {
    'astro:server:setup': async ({ server }) => {
      const { deliverPhotos } = await import('./src/features/photos/deliver.server.ts')
      // Before Vite's own copy of the file, which would look for the decoders' sources in itself.
      const { decoders } = await import('./src/features/photos/decode/pool.server.ts')
      const { getEnv } = await import('./src/server/env.ts')
      const { isDatabaseOpen, getDb, startDatabase } = await import('./src/server/db.ts')
      const { openHub } = await import('./src/features/live/hub.server.ts')
      const { userOfRequest } = await import('./src/features/auth/user.server.ts')
      const { openMap } = await import('./src/features/map/host.server.ts')
      server.middlewares.use(deliverPhotos(getEnv().dataDir))
      if (!isDatabaseOpen()) await startDatabase()
      const map = openMap(getEnv().dataDir)
      server.httpServer?.on('close', () => Promise.all([map.close(), decoders.close()]))
      const live = await openHub(getDb(), { identify: (req) => userOfRequest(getDb(), req.headers.cookie, false) })
      server.middlewares.use((req, res, next) => live.handle(req, res, req.socket.remoteAddress ?? '', next))
    },
  },
}

/** What layouts/shell.client.ts shares with islands and with what is loaded on use. */
const COMMON =
  /vite\/preload-helper|src\/(lib\/(background\.client|dates|numbers|offline|paths)|ui\/(dialog\.client|toast-later)|features\/(likes\/likes|dogs\/(queue\/hint|today\/today)))(\.ts|\.js)?$/

// No environment value is read here: what the operator sets is read at start, so that changing it never asks
// for a new build (DECISIONS.md, «One build for every operator»).
export default defineConfig({
  output: 'server',
  // 'middleware': our own server (scripts/serve.ts) stands in front, for static files, shutdown and limits.
  // 48 MB: ten photos of 4 MB that a browser without compression sends, with room for the form itself.
  // Without streaming a page is one string and one write, and one that breaks while it is drawn is a 500, not half a page.
  // With static headers Astro tells integrations/policy.ts its content policy instead of writing it into prerendered pages.
  adapter: node({
    mode: 'middleware',
    bodySizeLimit: 48 * 1024 * 1024,
    experimentalDisableStreaming: true,
    staticHeaders: true,
  }),
  integrations: [
    ...fastRendering(),
    demand(),
    deliveredInDevelopment,
    devToggle(),
    emojis(),
    ownRoutes(),
    ...pwa(),
    contentPolicy(),
  ],
  session: false,
  // Pages say what they show (server/cache/keep.ts); the store stands before Astro, in scripts/serve.ts.
  cache: { provider: { name: 'perrario', entrypoint: new URL('./src/server/cache/provider.ts', import.meta.url) } },
  trailingSlash: 'ignore',
  compressHTML: true,
  // Our middleware compares origins itself: Astro's check skips JSON bodies and is written into the build.
  security: { checkOrigin: false, csp },
  devToolbar: { enabled: false },
  vite: {
    cacheDir: '.cache/vite',
    // The minifier (Lightning CSS) adds the prefixes that the browsers of package.json need.
    build: { assetsInlineLimit: 0, cssTarget: cssTargets() },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              // Every page's script needs all of these: one request instead of eight.
              codeSplitting: { groups: [{ name: 'common', test: COMMON }] },
            },
          },
        },
      },
    },
  },
})
