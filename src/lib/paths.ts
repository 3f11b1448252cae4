/** Outcome of the step that confirms the member's identity. */
export type ConfirmResult = 'pide' | 'enviado' | 'codigo' | 'muchos' | 'otra' | 'fallo' | 'llave'

const confirmFragment = (result: ConfirmResult) =>
  result === 'enviado' || result === 'codigo' ? 'confirm-code' : 'confirma'

/**
 * Every address of the site: links, redirects, mails and sitemap take it from here. Slugs are ready (`src/lib/text/slug.ts`);
 * slugs and ids need no escaping.
 */
export const paths = {
  home: '/',
  /** The list, with the add-dog dialog over it. */
  addDog: '/#anadir-perro',
  dogs: '/perros',
  /** The page of the list's map, by a rewrite: its public address is `/perros?view=map`. */
  dogsMap: '/perros/mapa',
  /** The list's map at a place, to some ten metres. */
  mapAt: ({ lat, lon, zoom }: { lat: number; lon: number; zoom: number }) =>
    `/perros?view=map&lat=${lat.toFixed(4)}&lon=${lon.toFixed(4)}&zoom=${zoom}`,
  /** The member's own album, a tab of the home screen. */
  ownAlbum: '/?tab=mine',
  /** The page of `ownAlbum`, by a rewrite. */
  mine: '/perros/mias',
  /** The newest dogs of what the member follows, a tab of the home screen. */
  following: '/?tab=following',
  breeds: '/razas',
  /** Results of a search. `kind` selects one group (features/search/search.ts), `cursor` one of its pages. */
  search: (text = '', kind?: string, cursor?: string) => {
    const query = new URLSearchParams({
      ...(text && { q: text }),
      ...(kind && { tipo: kind }),
      ...(cursor && { cursor }),
    })
    return query.size > 0 ? `/buscar?${query}` : '/buscar'
  },
  searchSuggestions: '/fragments/buscar',
  counters: '/fragments/contadores',
  openSearch: '/opensearch.xml',
  /** The album for printing: the community's or the member's own. */
  printAlbum: (mode: 'community' | 'user') => `/razas/imprimir${mode === 'user' ? '?modo=mias' : ''}`,
  breed: (slug: string) => `/razas/${slug}`,
  /** The guide of breeds: its lists, the quiz and the comparison. */
  breedGuide: '/razas/guia',
  /** A list of breeds: by FCI group, country, size or what they are like (features/guide/breed-lists.ts). */
  breedList: (kind: string, slug: string) => `/razas/${kind}/${slug}`,
  breedQuiz: '/razas/que-raza',
  /** The comparison of up to three breeds, by slug; without any, its form. */
  compareBreeds: (...slugs: string[]) => {
    const query = new URLSearchParams(slugs.map((slug, i) => ['abc'[i] ?? 'c', slug]))
    return query.size > 0 ? `/razas/comparar?${query}` : '/razas/comparar'
  },
  /** The riddle of today; the others are in features/riddle/riddle-paths.ts. */
  riddle: '/reto',
  profile: '/perfil',
  /** The member's own profile with its edit form open: without script, or after a failed save. */
  profileEdit: '/perfil?editar',
  account: '/perfil/cuenta',
  /** What the member is told of. */
  notices: '/perfil/avisos',
  /**
   * The account's page at the step that confirms the member's identity. Where a code is to be typed, the fragment names its field,
   * which puts the focus there: `autofocus` does nothing in an address with a fragment.
   * @param result outcome of the last attempt
   */
  accountConfirm: (result: ConfirmResult) => `/perfil/cuenta?confirma=${result}#${confirmFragment(result)}`,
  accountConfirmed: '/perfil/cuenta?hecho=confirmado#confirma',
  member: (id: string) => `/usuario/${id}`,
  community: '/comunidad',
  admin: '/admin',
  adminDogs: '/admin?tab=perros',
  adminQueue: '/admin?tab=denuncias',
  adminLog: '/admin?tab=registro',
  /** Decisions about a member's content, with their appeals. */
  foundForm: '/encontrados',
  decisions: '/perfil/seguridad#decisiones',
  /** The report form. @param result parameters with the outcome of the last attempt */
  report: (kind: string, id: string, result: Record<string, string> = {}) =>
    `/denunciar?${new URLSearchParams({ tipo: kind, id, ...result })}`,
  login: '/login',
  /** What who signed in to an account that waits for its deletion may do. */
  recoverAccount: '/recuperar',
  notifications: '/notificaciones',
  /** The last link of a mail; the page asks before it unsubscribes. */
  unsubscribe: (token: string) => `/baja?${new URLSearchParams({ token })}`,
  terms: '/terminos',
  privacy: '/privacidad',
  /** A dog's page: `/beagle/toby`, `/beagle/toby-2`. The stored `path_slug` contains the number. */
  dog: (dog: { path_breed: string; path_slug: string }) => `/${dog.path_breed}/${dog.path_slug}`,
  dogById: (id: string) => `/perro/${id}`,
  /** The dog as a poster to print. */
  poster: (id: string) => `/perro/${id}/cartel`,
  /** The mailed link; its page signs in by POST. */
  signIn: (token: string) => `/login/enlace?token=${token}`,
  signInCode: '/login/codigo',
  portrait: (breedSlug: string) => `/retratos/${breedSlug}.svg`,
  /** The portrait's dark shape, for breeds that are not discovered yet. */
  silhouette: (breedSlug: string) => `/retratos/${breedSlug}-silueta.svg`,
  /** A breed's figure: `altura`, `peso`, `pelaje`, `proposito`. */
  breedFigure: (breedSlug: string, fact: string) => `/dibujos/${breedSlug}-${fact}.svg`,
  /** The operator's photo of a breed; `version` changes with the file. */
  breedPhoto: (breedSlug: string, box: string, version: string) => `/retratos/foto/${breedSlug}?t=${box}&v=${version}`,
  /** The share card of a dog, breed, member or the site (features/share); `version` changes with its content. */
  shareCard: (kind: string, name: string, version: string) => `/tarjetas/${kind}/${name}.jpg?v=${version}`,
  placeholder: '/placeholder.svg',
  /** The public dogs as files, with `?raza=&provincia=&cursor=`. */
  dogsCsv: '/datos/perros.csv',
  dogsGeojson: '/datos/perros.geojson',
  /** Documentation of the API and the open data. */
  apiDocs: '/api/docs',
  /** The page that the service worker shows without network. */
  offline: '/sin-conexion',
  manifest: '/manifest.webmanifest',
  /** The sitemap's index, and its parts by name (`perros-a3`). */
  sitemap: '/sitemap.xml',
  sitemapPart: (name: string) => `/sitemap/${name}.xml`,
  /** The newest dogs as an Atom feed, and those of one breed. */
  feed: '/novedades.atom',
  breedFeed: (slug: string) => `/razas/${slug}/novedades.atom`,
  /** Names of zones for the form without network. */
  zones: '/zonas.json',
  /** The manifest's share target: other apps send shared photos here. */
  share: '/compartir',
  /** The form with the shared photos, and without them where they were not received. */
  shared: '/?compartido=si#anadir-perro',
  sharedNotFound: '/?compartido=no#anadir-perro',
  api: {
    session: '/api/session',
    events: '/api/events',
    account: '/api/account',
    accountExport: '/api/account/export',
    accountSessions: '/api/account/sessions',
    accountSession: (id: string) => `/api/account/sessions/${id}`,
    adminVerified: (memberId: string) => `/api/admin/members/${memberId}/verified`,
    adminWord: (memberId: string) => `/api/admin/members/${memberId}/word`,
    reports: '/api/reports',
    block: (memberId: string) => `/api/blocks/${memberId}`,
    hiddenPhoto: (name: string) => `/api/held-photos/${name}`,
    adminCase: (id: string) => `/api/admin/cases/${id}`,
    appeal: (decisionId: string) => `/api/decisions/${decisionId}/appeal`,
    magicLink: '/api/auth/magic-link',
    code: '/api/auth/code',
    intent: '/api/auth/intent',
    link: '/api/auth/link',
    confirm: '/api/auth/confirm',
    confirmCode: '/api/auth/confirm/code',
    provider: (name: string) => `/api/auth/${name}`,
    /** Signs in there once more to confirm the identity. */
    providerConfirm: (name: string) => `/api/auth/${name}?para=confirmar`,
    providerCallback: (name: string) => `/api/auth/${name}/callback`,
    signOut: '/api/auth/sign-out',
    dogs: '/api/dogs',
    dog: (id: string) => `/api/dogs/${id}`,
    dogImages: (id: string) => `/api/dogs/${id}/images`,
    dogAssociation: (id: string) => `/api/dogs/${id}/association`,
    dogOwnership: (id: string) => `/api/dogs/${id}/ownership`,
    dogOwnershipOf: (id: string, userId: string) => `/api/dogs/${id}/ownership/${userId}`,
    dogLike: (id: string) => `/api/dogs/${id}/like`,
    dogLikes: (id: string) => `/api/dogs/${id}/likes`,
    dogComments: (id: string) => `/api/dogs/${id}/comments`,
    likes: '/api/likes',
    comment: (id: string) => `/api/comments/${id}`,
    notifications: '/api/notifications',
    notification: (id: string) => `/api/notifications/${id}`,
    notificationsReadAll: '/api/notifications/read-all',
    /** Push notifications of the requesting device. */
    push: '/api/push',
    /** The member's preferences for push notifications and mails. */
    accountNotices: '/api/account/notices',
    /** One-click unsubscribe of mail programs (RFC 8058). */
    unsubscribe: (token: string) => `/api/unsubscribe?${new URLSearchParams({ token })}`,
    activity: '/api/activity',
    activityAndLikes: '/api/activity?with=likes',
    today: '/api/today',
    breedNames: '/api/breeds',
    breedDetection: '/api/breed-detection',
    map: '/api/map',
    /** The dogs of an area, page by page. */
    mapDogs: '/api/map/dogs',
    geocode: (text: string) => `/api/geocode?${new URLSearchParams({ q: text })}`,
    openapi: '/api/openapi.json',
    places: (text: string) => `/api/places?${new URLSearchParams({ q: text })}`,
    profile: '/api/profile',
    profileAlias: (alias: string) => `/api/profile/alias?${new URLSearchParams({ alias })}`,
  },
} as const
