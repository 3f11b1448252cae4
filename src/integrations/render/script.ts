import type { SSRResult } from 'astro'
import { createRenderInstruction } from 'astro/runtime/server/render/instruction.js'

/** By the build's table of scripts, which is one for all pages. */
const ready = new WeakMap<SSRResult['inlinedScripts'], Map<string, unknown>>()

async function instructionFor(result: SSRResult, id: string): Promise<unknown> {
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
 * Stands for Astro's `renderScript` and says the same, but a script's address is looked up once: Astro's is a promise at every
 * `<script>` of every component, behind which whatever comes later on the page is put into buffers, a dozen times a page.
 */
export function renderScript(result: SSRResult, id: string): unknown {
  let known = ready.get(result.inlinedScripts)
  if (!known) ready.set(result.inlinedScripts, (known = new Map()))
  const instruction = known.get(id)
  if (instruction) return instruction
  const made = instructionFor(result, id)
  if (import.meta.env.PROD) void made.then((instruction) => known.set(id, instruction)).catch(() => {})
  return made
}
