import { readFileSync } from 'node:fs'
import type { Env } from '#server/env.ts'

/** Hashes of the inline scripts and styles of pages and drawings (integrations/content-policy.ts). */
export interface InlineHashes {
  script: string[]
  style: string[]
  svg: string[]
}

/** Reads the hashes of a build. */
export const readInlineHashes = (dist: string): InlineHashes =>
  JSON.parse(readFileSync(`${dist}/csp.json`, 'utf8')) as InlineHashes

type Site = Pick<Env, 'siteUrl' | 'tiles'>

const sources = (hashes: string[]) => hashes.map((hash) => `'${hash}'`).join(' ')

/**
 * The Content-Security-Policy of pages. Inline scripts and styles are Astro's own, by hash; nothing is evaluated; nothing comes
 * from other origins except the operator's map tiles.
 */
export function pagePolicy(inline: InlineHashes, { siteUrl, tiles }: Site): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${sources(inline.script)}`,
    `style-src 'self' ${sources(inline.style)}`,
    // Chosen photos are blobs; htmx and the map use small data URLs.
    ["img-src 'self' data: blob:", tiles && originOf(tiles.url)].filter(Boolean).join(' '),
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    // The library that reads HEIC creates its worker from a blob.
    "worker-src 'self' blob:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    ...(siteUrl?.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

/** For answers that are no page: where a browser displays one as a page, it loads and runs nothing. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** For drawings: the same, with their own style. */
export const drawingPolicy = (inline: InlineHashes): string =>
  `default-src 'none'; style-src ${sources(inline.svg)}; frame-ancestors 'none'`

/** The origin of a tile address in the policy's syntax: `{s}` becomes any subdomain. */
function originOf(url: string): string {
  const origin = /^https?:\/\/[^/?#\s;,']+/.exec(url)?.[0] ?? ''
  return origin.replace(/^(https?:\/\/)\{\w\}\./, '$1*.').replace(/\{[^{}]*\}/g, '')
}
