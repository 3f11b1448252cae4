import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { CRITICAL_CSS } from '#layouts/critical-css.ts'

/** A source of a content policy: the hash of an inline script or style. */
export const cspHash = (text: string | Buffer) =>
  `sha256-${createHash('sha256').update(text).digest('base64')}` as const

/** For `security.csp` of astro.config.mjs: what Astro cannot find out itself. */
export const csp = { styleDirective: { hashes: [cspHash(CRITICAL_CSS)] } }

/** What Astro knows of its own inline scripts and styles, among the hashes of every file of the build. */
interface AstroCsp {
  scriptDirective: { hashes: string[] }
  styleDirective: { hashes: string[] }
}

/**
 * Writes `dist/csp.json`: the hashes of the inline scripts and styles that Astro itself puts into pages, and of the styles of
 * drawings. Astro names every file of the build too, hundreds of them: `'self'` says the same in six letters, on every page.
 * Astro's own policy ends with the build: the server sends this one (server/security/content-policy.ts), and Astro would hash a page's sheets
 * anew at every request, a tenth of what a page costs.
 */
export function contentPolicy(): AstroIntegration {
  let known: AstroCsp | undefined
  return {
    name: 'perrario:policy',
    hooks: {
      'astro:build:ssr': ({ manifest }) => {
        known = manifest.csp as AstroCsp | undefined
        Object.assign(manifest, { csp: undefined, shouldInjectCspMetaTags: false })
      },
      'astro:build:done': ({ dir }) => {
        const client = fileURLToPath(dir)
        const files = new Set<string>()
        const drawings = new Set<string>()
        for (const name of readdirSync(client, { recursive: true, encoding: 'utf8' })) {
          if (/\.(js|mjs|css)$/.test(name)) files.add(cspHash(readFileSync(join(client, name))))
          if (!name.endsWith('.svg')) continue
          const svg = readFileSync(join(client, name), 'utf8')
          for (const [, style] of svg.matchAll(/<style>(.*?)<\/style>/gs)) drawings.add(cspHash(style!))
        }
        files.add(cspHash(''))
        const inline = (hashes: string[] = []) => [...new Set(hashes)].filter((hash) => !files.has(hash))
        const script = inline(known?.scriptDirective.hashes)
        const style = inline(known?.styleDirective.hashes)
        const found = { script, style, svg: [...drawings] }
        if (script.length === 0 || style.length === 0) throw new Error('Astro said no content policy')
        writeFileSync(join(client, '../csp.json'), JSON.stringify(found))
      },
    },
  }
}
