import { normaliseBreed } from './breeds.ts'
import { allBreeds } from './catalogue.server.ts'
import { FIGURE_NAMES, renderFigureFile } from './figures/figure-files.ts'

/** Every drawing under /dibujos: its name without `.svg`, and the function that renders it. */
export const figureFiles = allBreeds.flatMap((breed) => {
  const facts = { ...breed, slug: normaliseBreed(breed.nombre_castellano) }
  return FIGURE_NAMES.map((name) => ({ name: `${facts.slug}-${name}`, render: () => renderFigureFile(facts, name) }))
})

const byName = new Map(figureFiles.map((file) => [file.name, file]))

/** Renders a drawing as SVG text. @throws Error for a name that is none of `figureFiles` */
export function renderFigureByName(name: string): string {
  const file = byName.get(name)
  if (!file) throw new Error(`No drawing is called ${name}`)
  return file.render()
}
