/** Addresses of lost and found dogs. `paths` (lib/paths.ts) reaches every page's script, and these are on few pages. */
export const lostPaths = {
  /** Lost dogs, with filters in the query. */
  lostDogs: '/perdidos',
  lostFeed: '/perdidos.atom',
  /** What to do in the first 24 hours. */
  lostHelp: '/perdidos/primeras-24-horas',
  /** The member's alerts of lost dogs. */
  lostAlerts: '/perdidos/avisos',
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
  adminSightings: '/admin/avistamientos',
  /** The found dogs, and answers about them, that wait for the admin. */
  adminFound: '/admin/encontrados',
  /** The form of a found dog. */
  foundForm: '/encontrados',
  /** A found notice, for its finder and for owners who were told of it. */
  foundNotice: (id: string) => `/encontrados/${id}`,
  /** The messages between a dog's owner and a finder. */
  messages: (threadId: string) => `/mensajes/${threadId}`,
  api: {
    lost: (dogId: string) => `/api/dogs/${dogId}/lost`,
    lostAlerts: '/api/lost-alerts',
    sightings: (dogId: string) => `/api/dogs/${dogId}/sightings`,
    sighting: (id: string) => `/api/sightings/${id}`,
    sightingPhoto: (id: string) => `/api/sightings/${id}/photo`,
    adminSighting: (id: string) => `/api/admin/sightings/${id}`,
    found: '/api/found',
    foundPhoto: (id: string) => `/api/found/${id}/photo`,
    messages: (threadId: string) => `/api/messages/${threadId}`,
  },
} as const
