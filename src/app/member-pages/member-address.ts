import { type DogAddress, isAddressOf, type PageParams, toCacheAddress } from '#app/page-cache/cache-address.ts'
import { findPrerendered } from './prerendered-pages.ts'

/** The address of a page that may be cached for members. */
export interface MemberAddress {
  address: string
  /** Whether members may share the page, which it says itself: lists, breeds and dogs. Others are cached for one session. */
  isShared: boolean
  /** Whether visitors get a file of the build. */
  isPrerendered?: true
  /** Whether it is an answer of the API: what the live stream has told already must not be missing in it. */
  isData?: true
  /** Of a dog's page: whether there is such a dog. */
  dog?: DogAddress
}

const SHARED_PAGES =
  /^\/(?:|perros|razas\/(?!(?:imprimir|guia|que-raza|comparar)(?:\?|$))[^/]+|(?!perro\/|razas\/|usuario\/|comunidad\/)[^/]+\/[^/]+)(?:\?|$)/
/** Parameters that lead the list's address to another page (server/rewrites.ts). */
const OTHER_PAGES = /[?&](?:tab=|view=map)/
/** Pages that visitors do not have. Their other parameters are about a form that was just sent. */
const OWN_PAGES: PageParams = [
  [/^\/perfil$/, ['tab']],
  [/^\/perfil\/siguiendo$/, ['ver']],
  [/^\/perfil\/(?:cuenta|decisiones|seguridad|zona)$/, []],
  [/^\/notificaciones$/, []],
]
/** Answers of the API that a member's pages ask for when they are loaded. */
const OWN_DATA: PageParams = [
  [/^\/api\/activity$/, ['with']],
  [/^\/api\/likes$/, []],
]
/**
 * The query of a page that is cached for one session: parameters with a word from a list. Others could be made up without end (a search, a
 * cursor), and each would be a page.
 */
const LISTED_QUERY =
  /^[^?]*(?:\?(?:(?:album|lado|modo|orden|size|sort|tab|ver|view|vista|with)=[a-z-]{1,20}(?:&|$))*)?$/
/** Pages of visitors that are nobody's own: the documentation of the API has no frame. */
const FRAMELESS_PAGES = /^\/api\//
/** Pages of visitors that are each member's own, and too rare to keep: the riddle with their guesses. */
const UNKEPT_PAGES = /^\/reto(?:[/?]|$)/

/** Null for addresses whose pages are not cached, and for spellings and parameters that Astro resolves. */
export function toMemberAddress(url: string): MemberAddress | null {
  const prerendered = findPrerendered(url)
  if (prerendered !== undefined) return { address: prerendered, isShared: true, isPrerendered: true }
  const isListed = LISTED_QUERY.test(url)
  if (isListed && isAddressOf(OWN_PAGES, url)) return { address: url, isShared: false }
  if (isListed && isAddressOf(OWN_DATA, url)) return { address: url, isShared: false, isData: true }
  if (FRAMELESS_PAGES.test(url) || UNKEPT_PAGES.test(url)) return null
  const isShared = SHARED_PAGES.test(url) && !OTHER_PAGES.test(url)
  const found = toCacheAddress(url)
  if (found === null) return null
  if (typeof found === 'string') return found === url && (isShared || isListed) ? { address: url, isShared } : null
  return isShared && found.known === url ? { address: url, isShared, dog: found } : null
}
