import type { AstroIntegration } from 'astro'

/** Adds `client:demand` (see demand.directive.ts) and `client:interaction` (see interaction.directive.ts). */
export const demand = (): AstroIntegration => ({
  name: 'perrario:demand',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'demand', entrypoint: './src/integrations/demand.directive.ts' })
      addClientDirective({ name: 'interaction', entrypoint: './src/integrations/interaction.directive.ts' })
    },
  },
})
