/** What an answer for one reader must not say. */
const SHARED_DIRECTIVE = /^(?:public|s-maxage\b.*|private|)$/i

/**
 * Makes an answer that sets a cookie private: a shared cache would hand the cookie, a session perhaps, to whoever asks next
 * (RFC 9111 §7.3). Any route may set one, since a session is renewed wherever its member asks.
 */
export function keepCookiesPrivate(headers: Headers): void {
  if (!headers.has('Set-Cookie')) return
  const directives = (headers.get('Cache-Control') ?? '').split(',').map((directive) => directive.trim())
  if (directives.includes('no-store')) return
  headers.set('Cache-Control', ['private', ...directives.filter((one) => !SHARED_DIRECTIVE.test(one))].join(', '))
}
