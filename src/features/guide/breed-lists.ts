import guide from '#data/breed-guide.json' with { type: 'json' }
import { type Breed, MIXED_BREED } from '#features/breeds/breeds.ts'
import { type BreedProfile, traitOf } from '#features/breeds/profile/profiles.ts'
import type { TraitName } from '#features/breeds/profile/traits.ts'

/** A way into the album: breeds that share something, with a text of its own. */
export interface BreedList {
  kind: ListKind
  /** The last segment of its address. */
  slug: string
  title: string
  /** Its name in the guide, below the heading of its kind. */
  label: string
  intro: string
  includes: (breed: Breed, profile: BreedProfile | undefined) => boolean
}

/** The segments of the lists' addresses, `/razas/{kind}/{slug}`, with the heading of each kind in the guide. */
export const LIST_KINDS = { para: 'Por cómo son', grupo: 'Por grupo', tamano: 'Por tamaño', pais: 'Por país' } as const
export type ListKind = keyof typeof LIST_KINDS
export const isListKind = (text: string): text is ListKind => Object.hasOwn(LIST_KINDS, text)

const groupLists: BreedList[] = Object.entries(guide.groups).map(([number, { name, intro }]) => ({
  kind: 'grupo',
  slug: number,
  title: `Grupo ${number}: ${name}`,
  label: `${number}. ${name}`,
  intro,
  includes: (breed) => breed.fci_grupo === Number(number),
}))
groupLists.push({
  kind: 'grupo',
  slug: 'otras',
  title: guide.outsideFci.name,
  label: 'Fuera de la FCI',
  intro: guide.outsideFci.intro,
  includes: (breed) => breed.fci_grupo === null,
})

/** «Razas para hacer deporte» as «Para hacer deporte». */
const withoutRazas = (title: string) => title.replace(/^Razas (.)/, (_start, letter: string) => letter.toUpperCase())

const meanWeight = (breed: Breed) => (breed.peso_kg_min + breed.peso_kg_max) / 2

/** By the middle of a breed's range of weights: from so many kilos, inclusive, to the next size's. */
const sizeLists: BreedList[] = guide.sizes.map(({ slug, title, from, intro }, i) => {
  const before = guide.sizes[i + 1]?.from ?? Infinity
  return {
    kind: 'tamano',
    slug,
    title,
    label: withoutRazas(title),
    intro,
    includes: (breed) =>
      breed.nombre_castellano !== MIXED_BREED && meanWeight(breed) >= from && meanWeight(breed) < before,
  }
})

type Bounds = Partial<Record<TraitName, { min?: number; max?: number }>>

/** Whether every bar is known and within its bounds. */
const fits = (profile: BreedProfile | undefined, bounds: Bounds): boolean =>
  Object.entries(bounds).every(([name, { min = 1, max = 5 }]) => {
    const value = traitOf(profile, name as TraitName)
    return value !== undefined && value >= min && value <= max
  })

const traitLists: BreedList[] = guide.traits.map(({ slug, title, intro, bounds }) => ({
  kind: 'para',
  slug,
  title,
  label: withoutRazas(title),
  intro,
  includes: (_breed, profile) => fits(profile, bounds),
}))

/** All lists but those of countries, which follow from the catalogue (breed-lists.server.ts). */
export const FIXED_LISTS: readonly BreedList[] = [...traitLists, ...groupLists, ...sizeLists]
