/** The site as authenticators know it (WebAuthn §5.4.2). */
export interface RelyingParty {
  /** The host that passkeys are bound to. */
  id: string
  /** The origin that a browser signs. */
  origin: string
}

const IPV4_PATTERN = /^\d+\.\d+\.\d+\.\d+$/
const isIpAddress = (hostname: string): boolean => hostname.startsWith('[') || IPV4_PATTERN.test(hostname)

/**
 * The relying party, from SITE_URL, or without it from the request's host where that is localhost. Browsers bind passkeys to a host by name
 * over https, localhost apart.
 * @returns null where the site can offer no passkeys: on a bare IP address, without https, or at a host that nobody has confirmed
 */
export function findRelyingParty(siteUrl: string | undefined, host: string | null): RelyingParty | null {
  const url = URL.parse(siteUrl ?? `http://${host ?? ''}`)
  if (!url || isIpAddress(url.hostname)) return null
  if (url.hostname !== 'localhost' && (siteUrl === undefined || url.protocol !== 'https:')) return null
  return { id: url.hostname, origin: url.origin }
}
