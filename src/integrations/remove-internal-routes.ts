import type { AstroIntegration } from 'astro'

/**
 * Removes the routes that Astro itself adds to a build: `/_image` decodes and encodes a picture for anybody who asks, 0.9 s
 * of processor a request, and `/_server-islands/[name]` answers for islands that no page has. What is not routed is a 404.
 */
export const removeInternalRoutes = (): AstroIntegration => ({
  name: 'perrario:own-routes',
  hooks: {
    'astro:build:ssr': ({ manifest }) => {
      manifest.routes = manifest.routes.filter(({ routeData }) => routeData.origin !== 'internal')
    },
  },
})
