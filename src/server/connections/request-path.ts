/** Astro decodes an address until nothing changes, and refuses one that still does after so many rounds. */
const MAX_DECODE_ROUNDS = 10

/**
 * Spellings that the URL parser reads as another path: an address that is no path (`http://host/…` as sent to proxies, `*`),
 * a backslash (a slash), a number sign (the path's end), a dot segment in any spelling (`/api/../perfil`, `/api/%2e%2E/perfil`).
 */
const AMBIGUOUS_PATH = /^(?!\/)|[\\#]|%5c|\/(?:\.|%2e){1,2}(?:\/|$)/i

/** Characters that the URL parser drops from a path: `.\t.` is a dot segment. */
const DROPPED_CHARACTERS = /[\t\n\r]/g

/**
 * The path by which Astro chooses the route of `url`, for every decision that is taken before: percent-decoded until nothing
 * changes, without spare slashes; encoded slashes stay encoded, and are no separators to Astro either.
 * @param url the request's address as sent, with its query
 * @returns null for a path that two readers could read as two
 */
export function readRequestPath(url: string): string | null {
  const mark = url.indexOf('?')
  let path = mark < 0 ? url : url.slice(0, mark)
  for (let round = 0; round <= MAX_DECODE_ROUNDS; round++) {
    if (AMBIGUOUS_PATH.test(path.replace(DROPPED_CHARACTERS, ''))) return null
    const decoded = path.includes('%') ? tryDecode(path) : path
    if (decoded === path) return withoutSpareSlashes(path)
    path = decoded
  }
  return null
}

function tryDecode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const withoutSpareSlashes = (path: string): string =>
  path.includes('//') || path.endsWith('/') ? `/${path.split('/').filter(Boolean).join('/')}` : path
