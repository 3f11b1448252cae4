import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * @lucide/astro draws every path of an icon as a component of unknown kind: Astro then asks React whether it is one of
 * its own, in promises, some sixty times a page. icon.ts draws the same icons as strings.
 */
const icons: Plugin = {
  name: 'perrario-icons',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === '../createLucideIcon' && importer?.includes('/@lucide/astro/') ? fileOf('./icon.ts') : undefined,
}

/** Scripts of components, known at once (script.ts). */
const scripts: Plugin = {
  name: 'perrario-scripts',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === './script.js' && importer?.endsWith('/astro/dist/runtime/server/render/index.js')
      ? fileOf('./script.ts')
      : undefined,
}

/**
 * Astro writes the style of islands before the first of them, wherever it stands; HTML allows a style in the head alone, so it
 * is part of layouts/first.ts.
 */
const islandStyle: Plugin = {
  name: 'perrario-island-style',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/astro/dist/runtime/server/scripts.js')) return
    const written = '<style>${ISLAND_STYLES}</style>'
    if (!code.includes(written)) throw new Error('Astro writes the style of islands otherwise: look at render.ts')
    return code.replace(written, '')
  },
}

/** React's islands, drawn by islands.ts instead of the integration's own renderer, icons that are strings, and scripts at once. */
export function fastRendering(): AstroIntegration[] {
  const integration = react()
  const setup = integration.hooks['astro:config:setup']!
  integration.hooks['astro:config:setup'] = (options) =>
    setup({
      ...options,
      addRenderer: (renderer) =>
        options.addRenderer({ ...renderer, serverEntrypoint: new URL('./islands.ts', import.meta.url) }),
    })
  return [
    integration,
    {
      name: 'perrario-drawing',
      hooks: {
        'astro:config:setup': ({ updateConfig }) =>
          void updateConfig({ vite: { plugins: [icons, scripts, islandStyle] } }),
      },
    },
  ]
}
