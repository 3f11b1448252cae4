/**
 * The large drawings of a breed page as files of their own, so that its HTML stays light. An SVG file cannot read the page's
 * colours, and WebKit tells no `<img>` whether it is dark: its tones stand out on the light ground and on the dark one.
 */
import { plainText } from '#lib/html.ts'
import type { PortraitFacts } from '../portrait/types.ts'
import { coatPicture } from './coat.ts'
import { purposePicture } from './scenes.ts'
import { heightPicture, weightPicture } from './tiles.ts'

export type FigureFacts = PortraitFacts & { pelaje: string; proposito_original: string }

const DRAW = {
  altura: heightPicture,
  peso: weightPicture,
  pelaje: coatPicture,
  proposito: purposePicture,
} satisfies Record<string, (facts: FigureFacts) => string>
export type FigureName = keyof typeof DRAW
export const FIGURE_NAMES = Object.keys(DRAW) as FigureName[]

/** The drawing inline, with the page's own colours. */
export const figure = (facts: FigureFacts, name: FigureName): string => DRAW[name](facts)

const labels = new WeakMap<FigureFacts, Map<FigureName, string>>()

/** What the drawing says to those who do not see it; drawn once per breed to learn it. */
export function figureLabel(facts: FigureFacts, name: FigureName): string {
  let known = labels.get(facts)
  if (!known) labels.set(facts, (known = new Map()))
  let label = known.get(name)
  if (label === undefined) {
    label = plainText(/aria-label="([^"]*)"/.exec(figure(facts, name))![1]!)
    known.set(name, label)
  }
  return label
}

/** In place of the tokens of ui/tokens.css that the drawings use. */
export const FILE_COLOURS = {
  '--line': '#8d7f7355',
  '--collar': '#d94c33',
  '--park': '#23895c',
  '--person': '#8a7b6c80',
}
const tokens = Object.entries(FILE_COLOURS).map(([name, colour]) => `${name}:${colour}`)
const COLOURS = `<style>:root{${tokens.join(';')};--head:system-ui,sans-serif}.sil{fill:var(--person)}</style>`

/** The drawing as a file. */
export const figureFile = (facts: FigureFacts, name: FigureName): string =>
  figure(facts, name).replace(/^<svg ([^>]*)>/, `<svg xmlns="http://www.w3.org/2000/svg" $1>${COLOURS}`)
