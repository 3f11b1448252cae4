// What pages, the service worker and the server agree on about keeping things for when there is no network.

/** The caches of the service worker. What begins with `BASE` and `FORM` carries the build's version after it. */
export const CACHES = {
  /** The offline page and what draws it. */
  base: 'perrario-base-',
  /** The code of the dog form, so that it opens where there is no signal. */
  form: 'perrario-formulario-',
  /** Pages, only as they are without a session (docs/product.md §20.3). */
  pages: 'perrario-paginas',
  /** Photos of dogs. */
  photos: 'perrario-fotos',
  /** Scripts, styles and fonts with a hash in their name. */
  assets: 'perrario-piezas',
  /** Portraits, drawings, the base map. */
  drawings: 'perrario-dibujos',
  /** What the dog form asks for: breeds and places. */
  data: 'perrario-datos',
  /** Photos that another app shared, until the form takes them. */
  shared: 'perrario-compartido',
} as const

/**
 * On every page: `none` where it was made without a session, `member` with one, `any` where it is the same for everyone
 * (prerendered). The worker never keeps a member's.
 */
export const SESSION_HEADER = 'Perrario-Session'

/** On a kept page: when it was kept, milliseconds. */
export const STORED_AT_HEADER = 'Perrario-Kept'

/** localStorage key: set while the queue of unsent dogs is not empty, so that pages need not open its database. */
export const QUEUE_HINT = 'perrario-cola'

/** Where a device remembers which member was signed in last, for pages that cannot ask; never more than the id. */
export const LAST_MEMBER_KEY = 'perrario-quien'

/** When this page was kept, milliseconds; undefined on one that came from the server just now. */
export const pageStoredAt = (): number | undefined => Number(document.documentElement.dataset.kept) || undefined

/** What a page tells the worker. */
export type MessageToWorker =
  /** The first worker came after the page: this page and what it loaded should be kept too. */
  | { type: 'seen'; page: string; pieces: string[] }
  /** The page listens. `mayFetch`: there is time and bandwidth to fetch what the form needs. */
  | { type: 'hello'; mayFetch: boolean }

/** What the worker tells a page. */
export type MessageToPage =
  /** What the page shows was made for a visitor, and a member is signed in. */
  | { type: 'outdated' }
  /** The worker is being retired: does anybody listen? */
  | { type: 'retired' }
