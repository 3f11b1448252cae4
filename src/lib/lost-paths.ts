/** Addresses of lost and found dogs. `paths` (lib/paths.ts) reaches every page's script, and these are on few pages. */
export const lostPaths = {
  /** Lost dogs, with filters in the query. */
  lostDogs: '/perdidos',
  lostFeed: '/perdidos.atom',
  /** What to do in the first 24 hours. */
  lostHelp: '/perdidos/primeras-24-horas',
  /** The member's alerts of lost dogs. */
  lostAlerts: '/perfil/avisos',
  /** The owner's form: marks the dog as lost, changes and ends it. */
  lostForm: (dogId: string) => `/perdidos/${dogId}`,
  /** The short link of a poster. */
  lostLink: (code: string) => `/p/${code}`,
  /** The form of a sighting, for everybody. */
  sightingForm: (dogId: string) => `/perdidos/${dogId}/visto`,
  /** The same for any dog, which the service worker shows without network. */
  offlineSighting: '/sin-conexion/visto',
  /** The sightings of a dog, for its owner. */
  sightings: (dogId: string) => `/perdidos/${dogId}/avistamientos`,
  /** The sightings that wait for the admin. */
  adminSightings: '/admin?tab=denuncias&clase=avistamiento',
  /** The found dogs, and answers about them, that wait for the admin. */
  adminFound: '/admin?tab=denuncias&clase=encontrado',
  /** A found notice, for its finder and for owners who were notified of it. */
  foundNotice: (id: string) => `/encontrados/${id}`,
  /** The conversations of a member, or of a finder's device. */
  conversations: '/mensajes',
  /** Confirms the address that a finder left; the page asks first. */
  confirmMails: (token: string) => `/mensajes/confirmar?${new URLSearchParams({ token })}`,
  /** The reported messages, for the admin. */
  adminMessages: '/admin?tab=denuncias&clase=mensaje',
  /** The messages between a dog's owner and a finder. */
  messages: (threadId: string) => `/mensajes/${threadId}`,
  /** The same after a form other than a message's. @param what was done */
  messageAfter: (threadId: string, what: string) => `/mensajes/${threadId}?${new URLSearchParams({ hecho: what })}`,
  api: {
    lostAlerts: '/api/lost-alerts',
    sightings: (dogId: string) => `/api/dogs/${dogId}/sightings`,
    sightingPhoto: (id: string) => `/api/sightings/${id}/photo`,
    found: '/api/found',
    /** The admin's decision about what waits in the queue beside cases. */
    review: (id: string) => `/api/admin/reviews/${id}`,
    foundPhoto: (id: string) => `/api/found/${id}/photo`,
    confirmMails: (token: string) => `/api/message-mails/confirm?${new URLSearchParams({ token })}`,
  },
} as const
