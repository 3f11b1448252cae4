// The service worker's global scope, typed by hand, because TypeScript's libraries for workers and for pages cannot be used
// in one project.

export interface ExtendableEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void
}
export interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  readonly clientId: string
  readonly resultingClientId: string
  respondWith: (answer: Promise<Response> | Response) => void
}
export interface MessageToWorker extends ExtendableEvent {
  readonly data: unknown
  readonly source: { readonly id: string } | null
}
/** Background Sync: the browser wakes the worker when the network is back. */
export interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}
/** A push message, decrypted by the browser. */
export interface PushEvent extends ExtendableEvent {
  readonly data: { json: () => unknown } | null
}
export interface NotificationClick extends ExtendableEvent {
  readonly notification: Notification
}
export interface WindowClient {
  readonly id: string
  readonly url: string
  focus: () => Promise<unknown>
  postMessage: (message: unknown, transfer?: Transferable[]) => void
  navigate: (url: string) => Promise<WindowClient | null>
}

interface WorkerEvents {
  install: ExtendableEvent
  activate: ExtendableEvent
  fetch: FetchEvent
  message: MessageToWorker
  sync: SyncEvent
  push: PushEvent
  notificationclick: NotificationClick
  pushsubscriptionchange: ExtendableEvent
}

export interface WorkerScope {
  readonly registration: ServiceWorkerRegistration
  readonly location: Location
  readonly clients: {
    claim: () => Promise<void>
    get: (id: string) => Promise<WindowClient | undefined>
    openWindow: (url: string) => Promise<WindowClient | null>
    matchAll: (options?: { includeUncontrolled?: boolean; type?: 'window' }) => Promise<WindowClient[]>
  }
  skipWaiting: () => Promise<void>
  addEventListener: <K extends keyof WorkerEvents>(type: K, listener: (event: WorkerEvents[K]) => void) => void
}

export const scope = globalThis as unknown as WorkerScope
