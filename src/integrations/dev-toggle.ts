import type { AstroIntegration } from 'astro'

/**
 * The DEV toggle of docs/product.md §10.8: in `npm run dev` only, a button that signs a fake user in and out. Its route and its
 * script are added for that command only, so that no build contains them.
 */
export const devToggle = (): AstroIntegration => ({
  name: 'perrario-dev-toggle',
  hooks: {
    'astro:config:setup': ({ command, injectRoute, injectScript }) => {
      if (command !== 'dev') return
      injectRoute({ pattern: '/api/auth/dev', entrypoint: './src/features/auth/dev-sign-in.http.ts', prerender: false })
      injectScript('page', `import '/src/features/auth/dev-toggle.client.ts'`)
    },
  },
})
