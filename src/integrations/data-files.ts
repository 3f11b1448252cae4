import { basename } from 'node:path'
import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'

/** A smaller file stays in the module that imports it. */
const MIN_BYTES = 50_000
/** Of the server's part of the build. */
const FOLDER = 'data'

const idByName = new Map<string, string>()

/**
 * Large JSON files that the server imports are files of the build, parsed when their module is loaded. As a part of the module, which Vite
 * makes of them, V8 keeps their text for as long as the process runs, beside the objects, and two bytes for each letter of a module
 * with one that Latin-1 has not.
 */
const plugin: Plugin = {
  name: 'perrario-data-files',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name !== 'client',
  transform: {
    filter: { id: /\.json$/ },
    handler(code, id) {
      if (code.length < MIN_BYTES) return undefined
      const name = basename(id)
      if ((idByName.get(name) ?? id) !== id) throw new Error(`There are two data files ${name}`)
      idByName.set(name, id)
      const source = JSON.stringify(JSON.parse(code))
      const file = this.emitFile({ type: 'asset', fileName: `${FOLDER}/${name}`, source })
      return {
        code: `import { readFileSync } from 'node:fs'\nexport default JSON.parse(readFileSync(import.meta.ROLLUP_FILE_URL_${file}, 'utf8'))`,
        moduleType: 'js',
        map: null,
      }
    },
  },
  // Before Vite, for which such an address is one of the site.
  resolveFileUrl: ({ fileName, relativePath }) =>
    fileName.startsWith(`${FOLDER}/`) ? `new URL(${JSON.stringify(relativePath)}, import.meta.url)` : undefined,
}

/** Keeps large data out of the server's modules (see `plugin`). */
export const dataFiles = (): AstroIntegration => ({
  name: 'perrario:data-files',
  hooks: {
    'astro:config:setup': ({ updateConfig }) => {
      updateConfig({ vite: { plugins: [plugin] } })
    },
  },
})
