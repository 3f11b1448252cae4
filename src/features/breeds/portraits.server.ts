import { normaliseBreed } from './breeds.ts'
import { allBreeds } from './catalogue.server.ts'
import { drawPortrait } from './portrait/index.ts'

const SILHOUETTE_SUFFIX = '-silueta'

/** The name of every file under /retratos, without `.svg`: a portrait and a silhouette for each breed. */
export const portraitNames: readonly string[] = allBreeds.flatMap((breed) => {
  const slug = normaliseBreed(breed.nombre_castellano)
  return [slug, slug + SILHOUETTE_SUFFIX]
})

const bySlug = new Map(allBreeds.map((breed) => [normaliseBreed(breed.nombre_castellano), breed]))

/** The drawing behind a name, drawn from the facts of the file. @throws for a name that is none of `portraitNames` */
export function portraitFile(name: string): string {
  const silhouette = name.endsWith(SILHOUETTE_SUFFIX)
  const slug = silhouette ? name.slice(0, -SILHOUETTE_SUFFIX.length) : name
  const breed = bySlug.get(slug)
  if (!breed) throw new Error(`No breed is called ${slug}`)
  return drawPortrait({ ...breed, slug }, { silhouette })
}
