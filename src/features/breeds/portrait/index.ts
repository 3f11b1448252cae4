/**
 * Dog portraits drawn from breed facts.
 *
 * Pure and deterministic: the same facts and options always give the same text.
 */
import type { PortraitFacts, PortraitOptions } from './types.ts'
import { drawDog, drawSilhouette } from './draw.ts'
import { discGround } from './background/ground.ts'
import { individualise } from './traits/individual.ts'
import { hash } from './seeded-random.ts'
import { SCENES, drawScene } from './background/scenes.ts'
import { breedTraits } from './traits/traits.ts'

export type { PortraitFacts, PortraitOptions, Scene } from './types.ts'
export { SCENES }

/** Colour of silhouettes; a page overrides it with CSS `color`. */
const SILHOUETTE_INK = '#3a302a'

/** Every line has round ends: said once on the root, and inherited, it spares a twentieth of the file. */
const ROUND_CAPS = ' stroke-linecap="round"'
const inheritCaps = (svg: string): string => {
  const body = svg.indexOf('>')
  return svg.slice(0, body) + svg.slice(body).replaceAll(ROUND_CAPS, '')
}

/**
 * Complete `<svg xmlns=…>` text, viewBox 0 0 200 200, without scripts or external references.
 * Ids are unique per breed and options, so that several pictures can sit inline in one page.
 */
export function drawPortrait(facts: PortraitFacts, options: PortraitOptions = {}): string {
  const { individual, silhouette = false, ground = 'disc', size } = options
  const ofBreed = breedTraits(facts, individual),
    traits = individual === undefined ? ofBreed : individualise(ofBreed, individual)
  const dimensions = size ? ` width="${Number(size)}" height="${Number(size)}"` : ''
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"${dimensions}${ROUND_CAPS}`
  const id = 'p' + hash(`${facts.slug}|${individual ?? ''}|${silhouette ? 'shadow' : ground}`).toString(36)
  if (silhouette) return inheritCaps(`${open} color="${SILHOUETTE_INK}">${drawSilhouette(traits, id)}</svg>`)
  const back = ground === 'none' ? '' : ground === 'disc' ? discGround(facts.slug) : drawScene(ground)
  return inheritCaps(`${open}>${back}${drawDog(traits, id)}</svg>`)
}
