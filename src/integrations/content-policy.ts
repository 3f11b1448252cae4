import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { CRITICAL_CSS } from '#lib/critical-css.ts'

/** The hash of an inline script or style as a source of a content policy. */
export const cspHash = (text: string | Buffer) =>
  `sha256-${createHash('sha256').update(text).digest('base64')}` as const

/** For `security.csp` of astro.config.mjs: hashes that Astro cannot find itself. */
export const csp = { styleDirective: { hashes: [cspHash(CRITICAL_CSS)] } }

/** Astro's hashes: of its own inline scripts and styles, and of every file of the build. */
interface AstroCsp {
  scriptDirective: { hashes: string[] }
  styleDirective: { hashes: string[] }
}

/**
 * Writes `dist/csp.json`: the hashes of the inline scripts and styles that Astro itself puts into pages, and of the styles of
 * drawings. Astro's policy also names every file of the build, hundreds of them, where `'self'` is enough. The server sends the
 * policy (server/security/content-policy.ts); Astro's is removed from the build, since it hashes a page's sheets at every request,
 * a tenth of what a page costs.
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
          for (const [, style = ''] of svg.matchAll(/<style>(.*?)<\/style>/gs)) drawings.add(cspHash(style))
        }
        files.add(cspHash(''))
        const inline = (hashes: string[] = []) => [...new Set(hashes)].filter((hash) => !files.has(hash))
        const script = inline(known?.scriptDirective.hashes)
        const style = inline(known?.styleDirective.hashes)
        const found = { script, style, svg: [...drawings] }
        if (script.length === 0 || style.length === 0) throw new Error('Astro gave no content policy')
        writeFileSync(join(client, '../csp.json'), JSON.stringify(found))
      },
    },
  }
}
