import { normaliseBreed } from './breeds.ts'
import { allBreeds } from './catalogue.server.ts'
import { drawPortrait, type PortraitFacts } from './portrait/index.ts'

const SILHOUETTE_SUFFIX = '-silueta'

/** The name of every file under /retratos, without `.svg`: a portrait and a silhouette for each breed. */
export const portraitNames: readonly string[] = allBreeds.flatMap((breed) => {
  const slug = normaliseBreed(breed.nombre_castellano)
  return [slug, slug + SILHOUETTE_SUFFIX]
})

/** Every breed as the portrait generator reads it; the slug is the portrait's file name. */
export const portraitFacts = (): PortraitFacts[] =>
  allBreeds.map((breed) => ({ ...breed, slug: normaliseBreed(breed.nombre_castellano) }))

const factsBySlug = new Map(portraitFacts().map((facts) => [facts.slug, facts]))

/** Renders a portrait or silhouette as SVG text. @throws Error for a name that is none of `portraitNames` */
export function portraitFile(name: string): string {
  const silhouette = name.endsWith(SILHOUETTE_SUFFIX)
  const slug = silhouette ? name.slice(0, -SILHOUETTE_SUFFIX.length) : name
  const facts = factsBySlug.get(slug)
  if (!facts) throw new Error(`No breed is called ${slug}`)
  return drawPortrait(facts, { silhouette })
}
