import type { AstroIntegration } from 'astro'

/**
 * Removes the routes that Astro itself adds to a build: `/_image` decodes and encodes a picture for every client, 0.9 s of processor
 * time a request, and `/_server-islands/[name]` serves islands that no page has. Both are a 404 then.
 */
export const removeInternalRoutes = (): AstroIntegration => ({
  name: 'perrario:own-routes',
  hooks: {
    'astro:build:ssr': ({ manifest }) => {
      manifest.routes = manifest.routes.filter(({ routeData }) => routeData.origin !== 'internal')
    },
  },
})
