import node from '@astrojs/node'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { cssTargets } from './src/integrations/browsers.ts'
import { dataFiles } from './src/integrations/data-files.ts'
import { clientDirectives } from './src/integrations/register-directives.ts'
import { devToggle } from './src/integrations/dev-toggle.ts'
import { emojis } from './src/integrations/emojis.ts'
import { removeInternalRoutes } from './src/integrations/remove-internal-routes.ts'
import { contentPolicy, csp } from './src/integrations/content-policy.ts'
import { pwa } from './src/integrations/pwa.ts'

/** The program in front of the development server: services, steps and jobs as in production (src/app/development.ts). */
const programInDevelopment = {
  name: 'perrario:development',
  hooks: {
    'astro:server:setup': ({ server }) => {
      // Imported at each request: the runner caches it until one of its files is edited.
      const program = () => server.environments.ssr.runner.import('/src/app/development.ts')
      server.middlewares.use((req, res, next) => {
        program().then(({ handle }) => handle(req, res, next), next)
      })
      server.httpServer?.on('close', () => program().then(({ close }) => close()))
    },
  },
}

/** Entries that are built together with the pages and share their modules: the program, the map's thread, the decoders. */
const ENTRIES = {
  main: './src/app/main.ts',
  'map-worker': './src/features/map/index/worker.server.ts',
  decoder: './src/features/photos/decode/child.server.ts',
}

/**
 * Makes libraries of very many modules part of the build, where Node reads a few files at start instead of hundreds, and the icons, of
 * which the build has those in use instead of 1,700: they take 20 MB less. Not in development, where Vite would run each of their files as a
 * module, which a CommonJS library is not.
 */
const bundledLibraries = {
  name: 'perrario:bundled-libraries',
  apply: 'build',
  config: () => ({ ssr: { noExternal: ['kysely', 'zod', 'rate-limiter-flexible', 'lucide-react'] } }),
}

/** Modules that layouts/shell.client.ts shares with islands and with code that is loaded on use. */
const COMMON =
  /vite\/preload-helper|src\/(lib\/(background\.client|dates|numbers|offline|paths|plain-click)|ui\/(dialog\.client|toast\/next-page-key|typing\.client)|features\/(likes\/likes|dogs\/(queue\/hint|today\/today)))(\.ts|\.js)?$/

// No environment variable is read here: the operator's settings are read at start, so that changing one needs no new
// build (docs/adr/0001-one-build-for-every-operator.md).
export default defineConfig({
  output: 'server',
  // The adapter's own server is built too but not used: src/app/astro.ts renders with Astro's app itself. With static headers Astro
  // passes its content policy to integrations/content-policy.ts instead of writing it into prerendered pages.
  adapter: node({ mode: 'middleware', staticHeaders: true }),
  integrations: [
    react(),
    clientDirectives(),
    programInDevelopment,
    devToggle(),
    emojis(),
    dataFiles(),
    removeInternalRoutes(),
    ...pwa(),
    contentPolicy(),
  ],
  session: false,
  trailingSlash: 'ignore',
  compressHTML: true,
  // Our middleware checks origins itself: Astro's check skips JSON bodies and is fixed at build time.
  security: { checkOrigin: false, csp },
  devToolbar: { enabled: false },
  vite: {
    cacheDir: '.cache/vite',
    plugins: [bundledLibraries],
    oxc: { jsx: { importSource: '#ui/jsx' } },
    // The minifier (Lightning CSS) adds the prefixes that the browsers of package.json need.
    build: { assetsInlineLimit: 0, cssTarget: cssTargets(), rolldownOptions: { input: ENTRIES } },
    environments: {
      ssr: {
        build: {
          rolldownOptions: {
            output: { entryFileNames: ({ name }) => (name === 'index' ? 'entry.mjs' : `${name}.mjs`) },
          },
        },
      },
      client: {
        build: {
          rolldownOptions: {
            output: {
              // Every page's script needs all of them: one request instead of ten.
              codeSplitting: { groups: [{ name: 'common', test: COMMON }] },
            },
          },
        },
      },
    },
  },
})
