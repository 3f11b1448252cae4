import { readFileSync } from 'node:fs'
import type { Env } from '#server/env.ts'

/** Hashes of what stands inline in pages and drawings (integrations/content-policy.ts). */
export interface InlineHashes {
  script: string[]
  style: string[]
  svg: string[]
}

/** What a build's pages and drawings hold inline. */
export const readInlineHashes = (dist: string): InlineHashes =>
  JSON.parse(readFileSync(`${dist}/csp.json`, 'utf8')) as InlineHashes

type Site = Pick<Env, 'siteUrl' | 'tiles'>

const sources = (hashes: string[]) => hashes.map((hash) => `'${hash}'`).join(' ')

/**
 * Where a page may get what from. Nothing is inline but what Astro itself writes, by hash; nothing is evaluated; nothing
 * comes from elsewhere but the operator's own tiles.
 */
export function pagePolicy(inline: InlineHashes, { siteUrl, tiles }: Site): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${sources(inline.script)}`,
    `style-src 'self' ${sources(inline.style)}`,
    // Photos that are being chosen are blobs; htmx and the map draw small ones of their own.
    ["img-src 'self' data: blob:", tiles && originOf(tiles.url)].filter(Boolean).join(' '),
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    // Photos are shrunk, and HEIC read, by workers that those libraries make out of blobs.
    "worker-src 'self' blob:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    ...(siteUrl?.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

/** Of an answer that is no page: should a browser ever show it as one, it loads and runs nothing. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Of a drawing: the same, with its own style. */
export const drawingPolicy = (inline: InlineHashes): string =>
  `default-src 'none'; style-src ${sources(inline.svg)}; frame-ancestors 'none'`

/** The origin of a tile address as a policy writes it: `{s}` stands for any subdomain. */
function originOf(url: string): string {
  const origin = /^https?:\/\/[^/?#\s;,']+/.exec(url)?.[0] ?? ''
  return origin.replace(/^(https?:\/\/)\{\w\}\./, '$1*.').replace(/\{[^{}]*\}/g, '')
}
