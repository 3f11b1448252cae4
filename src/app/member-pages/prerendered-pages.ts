/**
 * Pages that the build has as files, for visitors, and the routes that render them for members: a file shows a visitor's frame until a
 * script has filled it in.
 */
const MEMBER_ROUTES: ReadonlyMap<string, string> = new Map([
  ['/privacidad', '/privacidad/miembros'],
  ['/terminos', '/terminos/miembros'],
])

/** The address of the prerendered page that `url` leads to, as the file handler reads it; undefined for others. */
export function findPrerendered(url: string): string | undefined {
  const [path = ''] = url.split('?', 1)
  const address = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return MEMBER_ROUTES.has(address) ? address : undefined
}

/** The route that renders the prerendered page at `address` for members. */
export const findMemberRoute = (address: string): string | undefined => MEMBER_ROUTES.get(address)
