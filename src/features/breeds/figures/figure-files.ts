/**
 * The large drawings of a breed page as files of their own, so that its HTML stays light. An SVG file cannot read the page's
 * colours, and WebKit tells no `<img>` whether it is dark: its tones stand out on the light ground and on the dark one.
 */
import { unescapeHtml } from '#lib/text/html.ts'
import type { PortraitFacts } from '#features/breeds/portrait/types.ts'
import { coatPicture } from './coat.ts'
import { purposePicture } from './purpose-scenes.ts'
import { heightPicture, weightPicture } from './tiles.ts'

export type FigureFacts = PortraitFacts & { pelaje: string; proposito_original: string }

const PICTURES = {
  altura: (facts: FigureFacts) => heightPicture(facts),
  peso: weightPicture,
  pelaje: coatPicture,
  proposito: purposePicture,
} satisfies Record<string, (facts: FigureFacts) => string>
export type FigureName = keyof typeof PICTURES
export const FIGURE_NAMES = Object.keys(PICTURES) as FigureName[]

/** The drawing inline, with the page's own colours. */
export const renderFigure = (facts: FigureFacts, name: FigureName): string => PICTURES[name](facts)

const labels = new WeakMap<FigureFacts, Map<FigureName, string>>()

/** What the drawing says to those who do not see it; drawn once per breed to learn it. */
export function figureLabel(facts: FigureFacts, name: FigureName): string {
  let known = labels.get(facts)
  if (!known) labels.set(facts, (known = new Map()))
  let label = known.get(name)
  if (label === undefined) {
    const text = /aria-label="([^"]*)"/.exec(renderFigure(facts, name))?.[1]
    if (text === undefined) throw new Error(`The drawing «${name}» has no label`)
    label = unescapeHtml(text)
    known.set(name, label)
  }
  return label
}

/** In place of the tokens of ui/styles/tokens.css that the drawings use. */
export const FILE_COLOURS = {
  '--line': '#8d7f7355',
  '--collar': '#d94c33',
  '--park': '#23895c',
  '--person': '#8a7b6c80',
}
const tokens = Object.entries(FILE_COLOURS).map(([name, colour]) => `${name}:${colour}`)
const FILE_STYLE = `<style>:root{${tokens.join(';')};--head:system-ui,sans-serif}.sil{fill:var(--person)}</style>`

/** The drawing as a file. */
export const renderFigureFile = (facts: FigureFacts, name: FigureName): string => toFile(renderFigure(facts, name))

/** The drawing of the height as a file, without the dog's colours. */
export const renderHeightShadow = (facts: FigureFacts): string => toFile(heightPicture(facts, true))

const toFile = (svg: string): string =>
  svg.replace(/^<svg ([^>]*)>/, `<svg xmlns="http://www.w3.org/2000/svg" $1>${FILE_STYLE}`)
