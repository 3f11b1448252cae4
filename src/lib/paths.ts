/**
 * Every address of the product is spelt here and nowhere else: links, redirects, mails, sitemap.
 * Slugs come ready-made (`src/lib/text/slug.ts`); nothing here escapes, because slugs and ids need none.
 */
export const paths = {
  home: '/',
  /** The list, with the add-dog dialog over it. */
  addDog: '/#anadir-perro',
  dogs: '/perros',
  /** Where the server finds the list's map; people see `/perros?view=map`. */
  dogsMap: '/perros/mapa',
  /** The list's map over a place, to some ten metres. */
  mapAt: ({ lat, lon, zoom }: { lat: number; lon: number; zoom: number }) =>
    `/perros?view=map&lat=${lat.toFixed(4)}&lon=${lon.toFixed(4)}&zoom=${zoom}`,
  /** The own album, a tab of the home screen. */
  ownAlbum: '/?tab=mine',
  /** Where the server finds it. */
  mine: '/perros/mias',
  breeds: '/razas',
  /** Results of a search; `kind` is the word of one group alone (features/search/search.ts), `cursor` where its page begins. */
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
  /** The album as pages to print: the community's, or one's own. */
  printAlbum: (mode: 'community' | 'user') => `/razas/imprimir${mode === 'user' ? '?modo=mias' : ''}`,
  breed: (slug: string) => `/razas/${slug}`,
  profile: '/perfil',
  /** One's own profile with its edit form open: without script, or after a save that did not happen. */
  profileEdit: '/perfil?editar',
  profileSaved: '/perfil?guardado',
  /** The form with what was typed; `failed` says that the save itself failed. Cut, since no alias is so long. */
  profileDraft: ({ alias, emoji }: { alias: string; emoji: string }, failed = false) => {
    const draft = { editar: failed ? 'fallo' : '', alias: alias.slice(0, 200), emoji: emoji.slice(0, 60) }
    return `/perfil?${new URLSearchParams(draft)}`
  },
  account: '/perfil/cuenta',
  /**
   * The account's page at the step that confirms who sits there; `said` is what came of the last try. Where a code is to be
   * typed, the address names its field: that puts the focus there, which `autofocus` may not in an address with a part.
   */
  accountConfirm: (said: 'pide' | 'enviado' | 'codigo' | 'muchos' | 'otra' | 'fallo') =>
    `/perfil/cuenta?confirma=${said}#${said === 'enviado' || said === 'codigo' ? 'confirm-code' : 'confirma'}`,
  accountConfirmed: '/perfil/cuenta?hecho=confirmado#confirma',
  member: (id: string) => `/usuario/${id}`,
  community: '/comunidad',
  admin: '/admin',
  adminDogs: '/admin?tab=perros',
  adminQueue: '/admin?tab=denuncias',
  adminLog: '/admin?tab=registro',
  /** What was decided about a member's things, and where they answer. */
  decisions: '/perfil/decisiones',
  /** The form that tells the admin of something; `said` is what came of it. */
  report: (kind: string, id: string, said: Record<string, string> = {}) =>
    `/denunciar?${new URLSearchParams({ tipo: kind, id, ...said })}`,
  login: '/login',
  notifications: '/notificaciones',
  /** The last link of a weekly mail; the page asks before it unsubscribes. */
  unsubscribe: (token: string) => `/baja?${new URLSearchParams({ token })}`,
  terms: '/terminos',
  privacy: '/privacidad',
  /** A dog's page: `/beagle/toby`, `/beagle/toby-2`. `pathSlug` is stored with the dog and carries its number. */
  dog: (dog: { path_breed: string; path_slug: string }) => `/${dog.path_breed}/${dog.path_slug}`,
  dogById: (id: string) => `/perro/${id}`,
  /** The dog as a poster to print. */
  poster: (id: string) => `/perro/${id}/cartel`,
  /** The people of a dog's page, where «Es mi perro» is said and answered; `status` tells what went wrong, if anything did. */
  dogPeople: (dogPath: string, status?: number) => `${dogPath}${status ? `?propiedad=${status}` : ''}#personas`,
  /** Where the mailed link leads; the page signs in by POST. */
  signIn: (token: string) => `/login/enlace?token=${token}`,
  signInCode: '/login/codigo',
  portrait: (breedSlug: string) => `/retratos/${breedSlug}.svg`,
  /** The portrait's dark shape, for breeds not discovered yet. */
  silhouette: (breedSlug: string) => `/retratos/${breedSlug}-silueta.svg`,
  /** A drawn fact of a breed: `altura`, `peso`, `pelaje`, `proposito`. */
  breedFigure: (breedSlug: string, fact: string) => `/dibujos/${breedSlug}-${fact}.svg`,
  /** The operator's own photo of a breed; `version` changes with the file. */
  breedPhoto: (breedSlug: string, box: string, version: string) => `/retratos/foto/${breedSlug}?t=${box}&v=${version}`,
  /** The drawn picture of a dog, breed, member or the site (features/share); `version` changes with what it shows. */
  shareCard: (kind: string, name: string, version: string) => `/tarjetas/${kind}/${name}.jpg?v=${version}`,
  placeholder: '/placeholder.svg',
  /** The public dogs as files, with `?raza=&provincia=&cursor=`. */
  dogsCsv: '/datos/perros.csv',
  dogsGeojson: '/datos/perros.geojson',
  /** What programs may read here, and how. */
  apiDocs: '/api/docs',
  /** What the service worker shows where there is no network. */
  offline: '/sin-conexion',
  manifest: '/manifest.webmanifest',
  /** For search engines: the index, and its parts by name (`perros-a3`). */
  sitemap: '/sitemap.xml',
  sitemapPart: (name: string) => `/sitemap/${name}.xml`,
  /** The newest dogs as an Atom feed, and those of one breed. */
  feed: '/novedades.atom',
  breedFeed: (slug: string) => `/razas/${slug}/novedades.atom`,
  /** Names of zones, for the form without network. */
  zones: '/zonas.json',
  /** Where other apps send a photo that is shared with Perrario (the manifest's share target). */
  share: '/compartir',
  /** The form with the shared photos, and the same where they got lost. */
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
    quarantinedPhoto: (name: string) => `/api/held-photos/${name}`,
    adminCase: (id: string) => `/api/admin/cases/${id}`,
    appeal: (decisionId: string) => `/api/decisions/${decisionId}/appeal`,
    magicLink: '/api/auth/magic-link',
    code: '/api/auth/code',
    link: '/api/auth/link',
    confirm: '/api/auth/confirm',
    confirmCode: '/api/auth/confirm/code',
    provider: (name: string) => `/api/auth/${name}`,
    /** Signing in there once more, only to prove it. */
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
    /** Notices on the device that asks. */
    push: '/api/push',
    /** What the member wants to be told outside the site. */
    accountNotices: '/api/account/notices',
    /** What mail programs send to at one press (RFC 8058). */
    unsubscribe: (token: string) => `/api/digest/unsubscribe?${new URLSearchParams({ token })}`,
    activity: '/api/activity',
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
