import type { Dog, Person } from '#features/dogs/dogs.ts'
import { photoName } from '#features/photos/photos.ts'
import { paths } from '#lib/paths.ts'
import { timestamp } from './xml.ts'

/** Structured data of schema.org as JSON-LD. */
export type JsonLd = { '@context': 'https://schema.org' } & Record<string, unknown>

type SchemaNode = { '@type': string } & Record<string, unknown>

const graph = (...nodes: SchemaNode[]): JsonLd => {
  const [first, ...more] = nodes
  return more.length > 0
    ? { '@context': 'https://schema.org', '@graph': nodes }
    : { '@context': 'https://schema.org', ...first }
}

/**
 * Serialises JSON-LD for a script element: `<` is escaped, so that no text ends the script or opens a comment. A data script
 * is never run, so the content security policy does not apply to it.
 */
export const jsonLdText = (data: JsonLd): string => JSON.stringify(data).replaceAll('<', String.raw`\u003c`)

/** The breadcrumbs from the home page to a page, which is the last step. */
function breadcrumbs(siteUrl: string, ...steps: (readonly [name: string, path: string])[]): SchemaNode {
  const all = [['Inicio', paths.home] as const, ...steps]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: all.map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: new URL(path, siteUrl).href,
    })),
  }
}

const BREEDS_CRUMB = ['Razas', paths.breeds] as const
const COMMUNITY_CRUMB = ['Comunidad', paths.community] as const

const personSchema = (siteUrl: string, { id, alias }: { id: string; alias: string }): SchemaNode => ({
  '@type': 'Person',
  name: alias,
  url: new URL(paths.member(id), siteUrl).href,
})

/** The site and its search, for the home page. */
export const siteSchema = (siteUrl: string): JsonLd =>
  graph({
    '@type': 'WebSite',
    name: 'Perrario',
    alternateName: 'Perrario, el álbum de los perros',
    url: new URL(paths.home, siteUrl).href,
    inLanguage: 'es',
    potentialAction: {
      '@type': 'SearchAction',
      target: {
        '@type': 'EntryPoint',
        urlTemplate: `${new URL(paths.search(), siteUrl).href}?q={search_term_string}`,
      },
      'query-input': 'required name=search_term_string',
    },
  })

export const collectionSchema = (siteUrl: string): JsonLd => graph(breadcrumbs(siteUrl, BREEDS_CRUMB))

/** A page of the guide of breeds: its breadcrumbs, the page last. */
export const breedListSchema = (siteUrl: string, ...steps: (readonly [name: string, path: string])[]): JsonLd =>
  graph(breadcrumbs(siteUrl, BREEDS_CRUMB, ...steps))

export interface BreedSchemaData {
  slug: string
  nombre_castellano: string
  nombre_original: string
  nombre_ingles: string
  pais_origen: string
  altura_cm_min: number
  altura_cm_max: number
  peso_kg_min: number
  peso_kg_max: number
  esperanza_vida_min: number
  esperanza_vida_max: number
  fci_numero: number | null
}

const property = (name: string, value: string): SchemaNode => ({ '@type': 'PropertyValue', name, value })
const quantity = (name: string, minValue: number, maxValue: number, unitCode: string): SchemaNode => ({
  '@type': 'PropertyValue',
  name,
  minValue,
  maxValue,
  unitCode,
})

/** A breed's breadcrumbs, and an article about it as a term with its figures. Unit codes are UN/CEFACT's. */
export function breedSchema(siteUrl: string, breed: BreedSchemaData, summary?: string): JsonLd {
  const url = new URL(paths.breed(breed.slug), siteUrl).href
  const otherNames = new Set([breed.nombre_original, breed.nombre_ingles])
  otherNames.delete(breed.nombre_castellano)
  return graph(breadcrumbs(siteUrl, BREEDS_CRUMB, [breed.nombre_castellano, paths.breed(breed.slug)]), {
    '@type': 'Article',
    headline: `${breed.nombre_castellano}: carácter, tamaño, cuidados y fotos`,
    inLanguage: 'es',
    mainEntityOfPage: url,
    ...(summary && { description: summary }),
    about: {
      '@type': ['DefinedTerm', 'Thing'],
      name: breed.nombre_castellano,
      ...(otherNames.size > 0 && { alternateName: [...otherNames] }),
      ...(breed.fci_numero !== null && { termCode: `FCI ${breed.fci_numero}` }),
      url,
      additionalProperty: [
        ...(breed.pais_origen ? [property('País de origen', breed.pais_origen)] : []),
        quantity('Altura a la cruz', breed.altura_cm_min, breed.altura_cm_max, 'CMT'),
        quantity('Peso', breed.peso_kg_min, breed.peso_kg_max, 'KGM'),
        quantity('Esperanza de vida', breed.esperanza_vida_min, breed.esperanza_vida_max, 'ANN'),
      ],
    },
  })
}

interface DogSchemaData {
  dog: Dog
  /** The breed's name in the catalogue. */
  breed: string
  uploader: Person | null
  caption: string
}

/** A dog's breadcrumbs, and its cover photo with the uploader as author; none for an anonymous dog. */
export function dogSchema(siteUrl: string, { dog, breed, uploader, caption }: DogSchemaData): JsonLd {
  const crumbs = breadcrumbs(siteUrl, BREEDS_CRUMB, [breed, paths.breed(dog.breed_slug)], [caption, dog.path])
  const cover = dog.images.find(({ url }) => url === dog.photo_url)
  if (!cover || !photoName(cover.url)) return graph(crumbs)
  return graph(crumbs, {
    '@type': 'ImageObject',
    contentUrl: new URL(cover.url, siteUrl).href,
    caption: cover.alt ?? caption,
    width: cover.width,
    height: cover.height,
    representativeOfPage: true,
    uploadDate: timestamp(dog.created_at),
    ...(uploader && { author: personSchema(siteUrl, uploader), creditText: uploader.alias }),
  })
}

/** A member's page, with public data alone. */
export const memberSchema = (siteUrl: string, member: { id: string; alias: string; created_at: number }): JsonLd =>
  graph(breadcrumbs(siteUrl, COMMUNITY_CRUMB, [member.alias, paths.member(member.id)]), {
    '@type': 'ProfilePage',
    url: new URL(paths.member(member.id), siteUrl).href,
    dateCreated: timestamp(member.created_at),
    mainEntity: { ...personSchema(siteUrl, member), identifier: member.id },
  })
