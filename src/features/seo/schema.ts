import type { Dog, Person } from '#features/dogs/dogs.ts'
import { photoName } from '#features/photos/photos.ts'
import { paths } from '#lib/paths.ts'
import { timestamp } from './xml.ts'

/** Structured data in the words of schema.org. */
export type JsonLd = { '@context': 'https://schema.org' } & Record<string, unknown>

type Thing = { '@type': string } & Record<string, unknown>

const graph = (...things: Thing[]): JsonLd => {
  const [first, ...more] = things
  return more.length > 0
    ? { '@context': 'https://schema.org', '@graph': things }
    : { '@context': 'https://schema.org', ...first }
}

/**
 * As it stands between script tags: no text may end the script or open a comment in it. A script of data is never run, so
 * the pages' content policy has nothing to say about it.
 */
export const jsonLdText = (data: JsonLd): string => JSON.stringify(data).replaceAll('<', String.raw`\u003c`)

/** The way from the start to a page, itself the last. */
function breadcrumbs(siteUrl: string, ...steps: (readonly [name: string, path: string])[]): Thing {
  const all = [['Inicio', paths.home] as const, ...steps]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: all.map(([name, path], at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: new URL(path, siteUrl).href,
    })),
  }
}

const BREEDS_CRUMB = ['Razas', paths.breeds] as const
const COMMUNITY_CRUMB = ['Comunidad', paths.community] as const

const personSchema = (siteUrl: string, { id, alias }: { id: string; alias: string }): Thing => ({
  '@type': 'Person',
  name: alias,
  url: new URL(paths.member(id), siteUrl).href,
})

/** The site itself and how to search it, on its first page. */
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

export const breedSchema = (siteUrl: string, breed: { slug: string; nombre_castellano: string }): JsonLd =>
  graph(breadcrumbs(siteUrl, BREEDS_CRUMB, [breed.nombre_castellano, paths.breed(breed.slug)]))

interface DogSchemaData {
  dog: Dog
  /** The catalogue's name of its breed. */
  breed: string
  uploader: Person | null
  caption: string
}

/** The way to a dog, and its cover with whom to thank for it; of an anonymous dog nobody knows. */
export function dogSchema(siteUrl: string, { dog, breed, uploader, caption }: DogSchemaData): JsonLd {
  const way = breadcrumbs(siteUrl, BREEDS_CRUMB, [breed, paths.breed(dog.breed_slug)], [caption, dog.path])
  const cover = dog.images.find(({ url }) => url === dog.photo_url)
  if (!cover || !photoName(cover.url)) return graph(way)
  return graph(way, {
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

/** A member's page: nothing of them but what everyone sees there. */
export const memberSchema = (siteUrl: string, member: { id: string; alias: string; created_at: number }): JsonLd =>
  graph(breadcrumbs(siteUrl, COMMUNITY_CRUMB, [member.alias, paths.member(member.id)]), {
    '@type': 'ProfilePage',
    url: new URL(paths.member(member.id), siteUrl).href,
    dateCreated: timestamp(member.created_at),
    mainEntity: { ...personSchema(siteUrl, member), identifier: member.id },
  })
