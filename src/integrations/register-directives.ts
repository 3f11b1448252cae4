import type { AstroIntegration } from 'astro'

/** Adds `client:demand`, `client:interaction` and `client:settled`, each described in its own `.directive.ts`. */
export const clientDirectives = (): AstroIntegration => ({
  name: 'perrario:client-directives',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'demand', entrypoint: './src/integrations/demand.directive.ts' })
      addClientDirective({ name: 'interaction', entrypoint: './src/integrations/interaction.directive.ts' })
      addClientDirective({ name: 'settled', entrypoint: './src/integrations/settled.directive.ts' })
    },
  },
})
