import { fileURLToPath } from 'node:url'
import react from '@astrojs/react'
import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'

/**
 * Astro writes the style of islands before the first of them, wherever it is; HTML allows a style only in the head, so it is part of
 * layouts/critical-css.ts (docs/adr/0134-dependencies-as-they-are.md; https://github.com/withastro/astro/issues/10308).
 */
const islandStyle: Plugin = {
  name: 'perrario-island-style',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/astro/dist/runtime/server/scripts.js')) return
    const styleSource = '<style>${ISLAND_STYLES}</style>'
    if (!code.includes(styleSource))
      throw new Error('Astro writes the style of islands in another way: update render.ts')
    return code.replace(styleSource, '')
  },
}

/** Replaces Astro's rendering of component scripts by script.ts. */
const scripts: Plugin = {
  name: 'perrario-scripts',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === './script.js' && importer?.endsWith('/astro/dist/runtime/server/render/index.js')
      ? fileURLToPath(new URL('./script.ts', import.meta.url))
      : undefined,
}

/** React: its islands in the browser by @astrojs/react, its HTML by islands.ts, which Astro tries first. */
export function reactRendering(): AstroIntegration[] {
  return [
    {
      name: 'perrario:react',
      hooks: {
        'astro:config:setup': ({ addRenderer, updateConfig }) => {
          addRenderer({
            name: 'perrario-react',
            clientEntrypoint: '@astrojs/react/client.js',
            serverEntrypoint: new URL('./islands.ts', import.meta.url),
          })
          updateConfig({ vite: { plugins: [scripts, islandStyle] } })
        },
      },
    },
    react(),
  ]
}
