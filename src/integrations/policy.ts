import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { FIRST_STYLE } from '../layouts/first.ts'

/** A source of a content policy: the hash of an inline script or style. */
export const sourceOf = (text: string | Buffer) =>
  `sha256-${createHash('sha256').update(text).digest('base64')}` as const

/** For `security.csp` of astro.config.mjs: what Astro cannot find out itself. */
export const csp = { styleDirective: { hashes: [sourceOf(FIRST_STYLE)] } }

/** The hashes that `directive` of a policy names. */
const hashesOf = (policy: string, directive: string): string[] =>
  [...(new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1] ?? '').matchAll(/'(sha256-[^']+)'/g)].map(
    ([, hash]) => hash!,
  )

/**
 * Writes `dist/csp.json`: the hashes of the inline scripts and styles that Astro itself puts into pages, as its own content
 * policy names them, and of the styles of drawings. Astro names every file of the build too, hundreds of them: `'self'` says the
 * same in six letters, on every page.
 */
export function contentPolicy(): AstroIntegration {
  let policy = ''
  return {
    name: 'perrario:policy',
    hooks: {
      'astro:build:generated': ({ routeToHeaders }) => {
        for (const { headers } of routeToHeaders.values()) policy ||= headers.get('content-security-policy') ?? ''
      },
      'astro:build:done': ({ dir }) => {
        const client = fileURLToPath(dir)
        const files = new Set<string>()
        const drawings = new Set<string>()
        for (const name of readdirSync(client, { recursive: true, encoding: 'utf8' })) {
          if (/\.(js|mjs|css)$/.test(name)) files.add(sourceOf(readFileSync(join(client, name))))
          if (!name.endsWith('.svg')) continue
          const svg = readFileSync(join(client, name), 'utf8')
          for (const [, style] of svg.matchAll(/<style>(.*?)<\/style>/gs)) drawings.add(sourceOf(style!))
        }
        files.add(sourceOf(''))
        const inline = (directive: string) => hashesOf(policy, directive).filter((hash) => !files.has(hash))
        const found = { script: inline('script-src'), style: inline('style-src'), svg: [...drawings] }
        if (found.script.length === 0 || found.style.length === 0) throw new Error('Astro said no content policy')
        writeFileSync(join(client, '../csp.json'), JSON.stringify(found))
      },
    },
  }
}
