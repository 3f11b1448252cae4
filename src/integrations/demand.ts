import type { AstroIntegration } from 'astro'

/** Adds `client:demand` (see demand.directive.ts). */
export const demand = (): AstroIntegration => ({
  name: 'perrario:demand',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({ name: 'demand', entrypoint: './src/integrations/demand.directive.ts' }),
  },
})
