import node from '@astrojs/node'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { demand } from './src/integrations/demand.ts'
import { devToggle } from './src/integrations/devToggle.ts'

/** The development server has no scripts/serve.ts before it: photos are answered here. */
const photosInDevelopment = {
  name: 'perrario-photos',
  hooks: {
    'astro:server:setup': async ({ server }) => {
      const { deliverPhotos } = await import('./src/features/photos/deliver.server.ts')
      const { getEnv } = await import('./src/server/env.ts')
      server.middlewares.use(deliverPhotos(getEnv().dataDir))
    },
  },
}

// No environment value is read here: what the operator sets is read at start, so that changing it never asks
// for a new build (DECISIONS.md, «One build for every operator»).
export default defineConfig({
  output: 'server',
  // 'middleware': our own server (scripts/serve.ts) stands in front, for static files, shutdown and limits.
  // 48 MB: ten photos of 4 MB that a browser without compression sends, with room for the form itself.
  adapter: node({ mode: 'middleware', bodySizeLimit: 48 * 1024 * 1024 }),
  integrations: [react(), demand(), photosInDevelopment, devToggle()],
  session: false,
  trailingSlash: 'ignore',
  compressHTML: true,
  // Our middleware compares origins itself: Astro's check skips JSON bodies and is written into the build.
  security: { checkOrigin: false },
  devToolbar: { enabled: false },
  vite: {
    cacheDir: '.cache/vite',
    build: { assetsInlineLimit: 0 },
  },
})
