/** What members follow, by the word of the address. */
const FOLLOW_KINDS = ['member', 'breed', 'zone'] as const
export type FollowKind = (typeof FOLLOW_KINDS)[number]

/** What one member may follow. */
export const MAX_FOLLOWS = 1000

export const FOLLOWS_PAGE_SIZE = 50

/** A member, a breed or a zone by its id: a UUID, a slug, the INE number of a province. */
export interface FollowTarget {
  kind: FollowKind
  id: string
}

/** Identifies a target in a page: `breed:beagle`. */
export const followKey = ({ kind, id }: FollowTarget): string => `${kind}:${id}`

export const isFollowKind = (text: string | undefined): text is FollowKind => FOLLOW_KINDS.some((kind) => kind === text)

/** The field of a button's form: FOLLOW or UNFOLLOW. */
export const FOLLOW_FIELD = 'seguir'
export const FOLLOW = '1'
export const UNFOLLOW = '0'

export const FOLLOW_TEXTS = {
  self: 'No puedes seguirte a ti.',
  full: `Ya sigues ${MAX_FOLLOWS.toLocaleString('es-ES', { useGrouping: 'always' })} personas, razas y zonas, que es el máximo. Deja de seguir alguna antes.`,
  member: 'Esa persona ya no está en Perrario.',
  breed: 'No conocemos esa raza.',
  zone: 'No conocemos esa zona. Elige una provincia.',
  kind: 'Solo se puede seguir a personas, razas y zonas.',
  form: 'Se esperaba un formulario.',
} as const

/** Addresses of this feature. */
export const followPaths = {
  api: ({ kind, id }: FollowTarget): string => `/api/follows/${kind}/${id}`,
  /** What the member follows. @param mutual only members who follow back */
  list: ({ mutual = false, cursor }: { mutual?: boolean; cursor?: string } = {}): string => {
    const query = new URLSearchParams({ ...(mutual && { ver: 'mutuos' }), ...(cursor && { cursor }) })
    return query.size > 0 ? `/perfil/siguiendo?${query}` : '/perfil/siguiendo'
  },
  /** The form of a zone that is chosen from a list: its address has no id. */
  addZone: '/api/follows/zone',
} as const

/** What a member follows, as their own list shows it. */
export interface Followed extends FollowTarget {
  name: string
  /** Of a member. */
  emoji: string | null
  /** Of a member: whether they follow back. */
  isMutual: boolean
}

/** «Te sigue una persona», «Te siguen 12 personas». */
export function followersText(count: number): string {
  if (count === 0) return 'Aún no te sigue nadie.'
  return count === 1 ? 'Te sigue una persona.' : `Te siguen ${count.toLocaleString('es-ES')} personas.`
}
