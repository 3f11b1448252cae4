/**
 * Where browsers have their push services. An endpoint is an address that a member gives us and that our server then asks:
 * without this list it could be made to ask anybody.
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

/** The longest address of a device that is kept; the longest there are (Windows) take some 600 characters. */
export const ENDPOINT_MAX_CHARS = 1024

/** An entry of PUSH_HOSTS: `push.example.org`, `*.example.org` or, for tests, `localhost:4000`. */
export const PUSH_HOST_PATTERN = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/

const matchesHost = (entry: string, { hostname, host }: URL): boolean =>
  entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : entry === hostname || entry === host

/**
 * True for an address that may be sent to: https at a push service that is known or that the operator named. Other ports,
 * and plain http on them, only where the operator named that very host and port.
 * @param extra entries of PUSH_HOSTS
 */
export function isAllowedPushEndpoint(endpoint: string, extra: readonly string[]): boolean {
  const url = endpoint.length <= ENDPOINT_MAX_CHARS ? URL.parse(endpoint) : null
  if (!url || url.username || url.password) return false
  if (url.port) return /^https?:$/.test(url.protocol) && extra.includes(url.host)
  if (url.protocol !== 'https:') return false
  return [...PUSH_SERVICES, ...extra].some((entry) => matchesHost(entry, url))
}
