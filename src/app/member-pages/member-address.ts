import { type DogAddress, toCacheAddress } from '#app/page-cache/cache-address.ts'
import { findPrerendered } from './prerendered-pages.ts'

/** The address of a page that members may share, which it says itself: lists, breeds, dogs, legal texts. */
export interface MemberAddress {
  address: string
  /** Whether visitors get a file of the build. */
  isPrerendered?: true
  /** Of a dog's page: whether there is such a dog. */
  dog?: DogAddress
}

const SHARED_PAGES =
  /^\/(?:|perros|razas\/(?!(?:imprimir|guia|que-raza|comparar)(?:\?|$))[^/]+|(?!perro\/|razas\/|usuario\/|comunidad\/|reto\/|api\/)[^/]+\/[^/]+)(?:\?|$)/
/** Parameters that lead the list's address to another page (server/rewrites.ts). */
const OTHER_PAGES = /[?&](?:tab=|view=map)/
/** Null for addresses whose pages members do not share, and for spellings and parameters that Astro resolves. */
export function toMemberAddress(url: string): MemberAddress | null {
  const prerendered = findPrerendered(url)
  if (prerendered !== undefined) return { address: prerendered, isPrerendered: true }
  if (!SHARED_PAGES.test(url) || OTHER_PAGES.test(url)) return null
  const found = toCacheAddress(url)
  if (found === null) return null
  if (typeof found === 'string') return found === url ? { address: url } : null
  return found.known === url ? { address: url, dog: found } : null
}
