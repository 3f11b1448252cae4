/** A browser's cookies and redirects, without the browser: for sign-in flows that cross from one server to another. */
export class CookieJar {
  /** Cookies by host (ports share them, as in browsers), then name. */
  readonly #cookies = new Map<string, Map<string, string>>()

  #of(url: URL): Map<string, string> {
    let jar = this.#cookies.get(url.hostname)
    if (!jar) this.#cookies.set(url.hostname, (jar = new Map()))
    return jar
  }

  get(url: string, name: string): string | undefined {
    return this.#of(new URL(url)).get(name)
  }

  set(url: string, name: string, value: string): void {
    this.#of(new URL(url)).set(name, value)
  }

  delete(url: string, name: string): void {
    this.#of(new URL(url)).delete(name)
  }

  /** The Cookie header for `url`. */
  header(url: string): string {
    return [...this.#of(new URL(url))].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** One request, as a page load makes it; redirects are not followed. */
  async load(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { Accept: 'text/html', Cookie: this.header(url), ...(init.headers as Record<string, string>) }
    const response = await fetch(url, { ...init, redirect: 'manual', headers })
    const jar = this.#of(new URL(url))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }

  /** Follows redirects while `stop` says no to the next address; answers that address, or the last page and its own. */
  async follow(url: string, stop: (next: string) => boolean): Promise<{ url: string; response?: Response }> {
    let at = url
    for (let hops = 0; hops < 20; hops++) {
      if (stop(at)) return { url: at }
      const response = await this.load(at)
      const next = response.headers.get('location')
      if (!next) return { url: at, response }
      at = new URL(next, at).href
    }
    throw new Error(`Too many redirects, last to ${at}`)
  }
}

/** Sends a form as a browser does. */
export const submitForm = (
  jar: CookieJar,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  jar.load(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })
