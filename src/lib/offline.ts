// Names that pages, the service worker and the server share for working offline.

/** Names of the service worker's caches. `base` and `form` are prefixes: the build's version follows. */
export const CACHES = {
  /** The offline page and the files that it loads. */
  base: 'perrario-base-',
  /** The code of the dog form, so that it opens where there is no signal. */
  form: 'perrario-formulario-',
  /** Pages without a session only (docs/product.md §20.3). */
  pages: 'perrario-paginas',
  /** Photos of dogs. */
  photos: 'perrario-fotos',
  /** Scripts, styles and fonts with a hash in their name. */
  assets: 'perrario-piezas',
  /** Portraits, drawings, the base map. */
  drawings: 'perrario-dibujos',
  /** Data of the dog form: breeds and places. */
  data: 'perrario-datos',
  /** Photos that another app shared, until the form takes them. */
  shared: 'perrario-compartido',
} as const

/**
 * On every page: `none` where it was rendered without a session, `member` with one, `any` where it is the same for everyone
 * (prerendered). The worker never stores a member's page.
 */
export const SESSION_HEADER = 'Perrario-Session'

/** On a stored page: when it was stored, milliseconds. */
export const STORED_AT_HEADER = 'Perrario-Kept'

/** The name of the queue of unsent dogs, and its localStorage key: set while it is not empty, so that pages need not open its database. */
export const QUEUE_HINT = 'perrario-cola'
/** The same of unsent sightings. */
export const SIGHTING_QUEUE_HINT = 'perrario-avistamientos'

/** The Background Sync tag: Chromium wakes the service worker with it once the network is back. */
export const SYNC_TAG = 'perrario-cola'
/** BroadcastChannel of tabs and service worker for changes of the queues: `sent` from the worker, `changed` from tabs. */
export const QUEUE_CHANNEL = 'perrario-cola'

/** localStorage key: id of the member who was signed in last, for pages without network. */
export const LAST_MEMBER_KEY = 'perrario-quien'

/** When the worker stored this page, milliseconds; undefined on a page from the server. */
export const pageStoredAt = (): number | undefined => Number(document.documentElement.dataset.cached) || undefined

/** Messages of a page to the worker. */
export type MessageToWorker =
  /** The first worker was installed after the page: it should store this page and its files too. */
  | { type: 'seen'; page: string; pieces: string[] }
  /** The page listens. `mayFetch`: there are time and bandwidth to fetch the form's files. */
  | { type: 'hello'; mayFetch: boolean }

/** Messages of the worker to a page. */
export type MessageToPage =
  /** The page was rendered for a visitor, and a member is signed in. */
  | { type: 'outdated' }
  /** The page is a cached copy: the server did not answer. */
  | { type: 'unreachable' }
  /** The worker is being retired and asks whether the page listens. */
  | { type: 'retired' }
