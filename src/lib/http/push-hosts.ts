/**
 * Hosts of the browsers' push services. An endpoint is an address from the client to which our server then sends requests: without
 * this list a client could direct them anywhere (SSRF).
 */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  '*.push.services.mozilla.com',
  'web.push.apple.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

/** Longest endpoint that is accepted; the longest real ones (Windows) have some 600 characters. */
export const ENDPOINT_MAX_CHARS = 1024

/** An entry of PUSH_HOSTS: `push.example.org`, `*.example.org` or, for tests, `localhost:4000`. */
export const PUSH_HOST_PATTERN = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/

const matchesHost = (entry: string, { hostname, host }: URL): boolean =>
  entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : entry === hostname || entry === host

/**
 * True for an endpoint to which messages may be sent: https at a known push service or at a host that the operator has set. Other
 * ports, and plain http on them, only where the operator has set that very host and port.
 * @param extra entries of PUSH_HOSTS
 */
export function isAllowedPushEndpoint(endpoint: string, extra: readonly string[]): boolean {
  const url = endpoint.length <= ENDPOINT_MAX_CHARS ? URL.parse(endpoint) : null
  if (!url || url.username || url.password) return false
  if (url.port) return /^https?:$/.test(url.protocol) && extra.includes(url.host)
  if (url.protocol !== 'https:') return false
  return [...PUSH_SERVICES, ...extra].some((entry) => matchesHost(entry, url))
}
