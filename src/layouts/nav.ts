import { followPaths } from '#features/follows/follows.ts'
import { yearPaths } from '#features/years/year-paths.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'

export type Tab = 'all' | 'breeds' | 'community' | 'profile'
/** The tabs of the home screen that are pages of it; the others of `HOME_TABS` lead to their routes. */
export type HomeTab = 'all' | 'mine'

/** The navigation's four items in the sidebar's order; the bottom bar has «Añadir» in their middle. */
export const NAV_ITEMS: readonly { tab: Tab; href: string; label: string }[] = [
  { tab: 'all', href: paths.dogs, label: 'Perros' },
  { tab: 'breeds', href: paths.breeds, label: 'Razas' },
  { tab: 'community', href: paths.community, label: 'Comunidad' },
  { tab: 'profile', href: paths.profile, label: 'Mi perfil' },
]

interface NavItem {
  tab: Tab | HomeTab
  href: string
  label: string
}
const OWN_ALBUM: NavItem = { tab: 'mine', href: paths.ownAlbum, label: 'Mi álbum' }
const [all, breeds, community, profile] = NAV_ITEMS as readonly [NavItem, NavItem, NavItem, NavItem]

/** The tabs of the home screen, in the order of docs/product.md §3.3. */
export const HOME_TABS: readonly NavItem[] = [all, OWN_ALBUM, community, profile, breeds]

/** A phone's bottom bar at both sides of «Añadir», the same on every page. The second place is an album, a member's their own. */
export const tabBar = (isMember: boolean) =>
  [
    [all, isMember ? OWN_ALBUM : breeds],
    [community, profile],
  ] as const

/** Where a member's bottom bar does not lead, in the menu of phones. @param year the last that can be looked back on */
export const moreItems = (year: number): readonly { href: string; label: string }[] => [
  { href: lostPaths.conversations, label: 'Mensajes' },
  { href: followPaths.list(), label: 'Lo que sigues' },
  { href: lostPaths.lostDogs, label: 'Perdidos' },
  { href: paths.foundForm, label: 'He encontrado un perro' },
  { href: paths.breedGuide, label: 'Guía de razas' },
  { href: yearPaths.of(year), label: `Tu ${year}` },
  { href: paths.account, label: 'Cuenta y datos' },
  { href: paths.terms, label: 'Términos' },
  { href: paths.privacy, label: 'Privacidad' },
]

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)

/** The active tab by path prefix (docs/product.md §3.3). Null for a dog's page, which names its tab itself. */
export function findActiveTab(path: string): Tab | null {
  if (path === paths.home || isUnder(path, paths.dogs)) return 'all'
  if (isUnder(path, paths.breeds)) return 'breeds'
  if (isUnder(path, paths.community)) return 'community'
  if (isUnder(path, paths.profile) || isUnder(path, '/usuario')) return 'profile'
  return null
}

/** The `aria-current` of a navigation item: `page` on its own address, `true` on pages below it, none elsewhere. */
export function navAriaCurrent(
  tab: Tab | HomeTab,
  active: Tab | HomeTab | null,
  path: string,
  href: string,
): 'page' | 'true' | undefined {
  if (tab !== active) return undefined
  return path === href || (tab === 'all' && path === paths.home) ? 'page' : 'true'
}
