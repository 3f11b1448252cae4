import react from '@astrojs/react'
import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'

/**
 * Astro writes the style and the scripts of islands before the first of them, 7 kB in every page. HTML allows a style only in the head,
 * so it is part of layouts/critical-css.ts; the scripts are part of the shell's (render/islands.client.ts, docs/adr/0134-dependencies-as-they-are.md;
 * https://github.com/withastro/astro/issues/10308).
 */
const islandPrescripts: Plugin = {
  name: 'perrario-island-prescripts',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/astro/dist/runtime/server/scripts.js')) return
    const start = 'function getPrescripts(result, type, directive) {'
    if (!code.includes(start)) throw new Error('Astro writes the scripts of islands in another way: update render.ts')
    return code.replace(start, `${start} return '';`)
  },
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
          updateConfig({
            vite: { plugins: [islandPrescripts], oxc: { jsx: { importSource: '#ui/jsx' } } },
          })
        },
      },
    },
    react(),
  ]
}
