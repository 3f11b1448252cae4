import type { SSRResult } from 'astro'
import { createRenderInstruction } from 'astro/runtime/server/render/instruction.js'

/** Render instructions by script id, for each table of inlined scripts; a build has one for all pages. */
const instructions = new WeakMap<SSRResult['inlinedScripts'], Map<string, unknown>>()

async function createInstruction(result: SSRResult, id: string): Promise<unknown> {
  const inlined = result.inlinedScripts.get(id)
  let content = ''
  if (inlined) content = `<script type="module">${inlined}</script>`
  else if (inlined === undefined) {
    const base = result.userAssetsBase ? (result.base === '/' ? '' : result.base) + result.userAssetsBase : ''
    content = `<script type="module" src="${base}${await result.resolve(id)}"></script>`
  }
  return createRenderInstruction({ type: 'script', id, content })
}

/**
 * Replaces Astro's `renderScript`, with the same result, but resolves a script's address only once. Astro's returns a promise for every
 * `<script>` of every component, and buffers the rest of the page behind each, a dozen times a page.
 */
export function renderScript(result: SSRResult, id: string): unknown {
  let byId = instructions.get(result.inlinedScripts)
  if (!byId) instructions.set(result.inlinedScripts, (byId = new Map()))
  const resolved = byId.get(id)
  if (resolved) return resolved
  const pending = createInstruction(result, id)
  if (import.meta.env.PROD) void pending.then((instruction) => byId.set(id, instruction)).catch(() => {})
  return pending
}
