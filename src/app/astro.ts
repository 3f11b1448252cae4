import type { IncomingMessage, ServerResponse } from 'node:http'
import { createApp } from 'astro/app/entrypoint'
import { createRequestFromNodeRequest, writeResponse } from 'astro/app/node'
import { recordReads } from '#db/table-changes.ts'
import { REQUEST_BODY_MAX_BYTES } from '#server/body/request-size.ts'
import { encodeResponse } from '#server/encoding.ts'
import { REQUEST_ID_HEADER, currentRequestId } from '#server/log/request-id.ts'
import { keepCookiesPrivate } from '#server/security/private-cookies.ts'
import { msUntilMadridMidnight } from '#lib/dates.ts'
import { HOUR_MS } from '#lib/time.ts'
import { slotTexts } from '#lib/member-slots.ts'
import { findMemberRoute } from './page-cache/addresses.ts'
import type { PageRenderer } from './page-cache/page-cache.ts'
import type { RenderedPage } from './page-cache/page-store.ts'
import type { PipelineLocals } from './pipeline.ts'

/** Statuses that are cached. A redirect is cheap, and an error may be gone at the next request. */
const CACHEABLE_STATUSES = new Set([200, 404, 410])
/** Headers that belong to one answer or to its encoding: the cache sets its own. */
const UNCACHED_HEADERS = new Set(['server-timing', 'content-length', 'etag', 'vary', 'connection'])

/** Without streaming a page is one string and one write, and an error while it is rendered gives a 500 instead of half a page. */
const app = createApp({ streaming: false })
type RenderOptions = NonNullable<Parameters<typeof app.render>[1]>

/** Astro's answer. A page that the build has as a file for visitors is named: Astro finds the others by their address. */
function render(request: Request, url: string, options: RenderOptions): Promise<Response> {
  const name = findMemberRoute(url)
  const routeData = name && app.manifestData.routes.find(({ route }) => route === name)
  return app.render(request, { addCookieHeader: true, ...options, ...(routeData && { routeData }) })
}

/** Answers a request with a page or an endpoint; src/middleware.ts adds the services to `locals`. */
export async function sendAstroResponse(
  req: IncomingMessage,
  res: ServerResponse,
  locals: PipelineLocals,
): Promise<void> {
  const request = createRequestFromNodeRequest(req, { bodySizeLimit: REQUEST_BODY_MAX_BYTES })
  const response = await render(request, req.url ?? '/', { locals })
  keepCookiesPrivate(response.headers)
  await writeResponse(await encodeResponse(req, response), res)
}

/**
 * Renders the page of `url` once for all visitors, or for all members, with slots for what depends on the reader (lib/member-slots.ts). The
 * request is built here and contains nothing of a single reader (Host, forwarded addresses, cookies, languages), so the shared page
 * cannot contain it either.
 * @param cookie the cookie of the closed sidebar, the only variant of a page
 */
export const renderPage: PageRenderer = async (audience, url, cookie): Promise<RenderedPage> => {
  const headers = new Headers({ accept: 'text/html', ...(cookie && { cookie }) })
  // At midnight in Madrid pages count anew what was added today; an hour at most, because a change to summer time moves it.
  const midnight = Date.now() + Math.min(HOUR_MS, msUntilMadridMidnight(Date.now()))
  /** Until when the page may be cached; undefined where it does not ask for it. */
  let cachedUntil: number | undefined
  const locals: Pick<App.Locals, 'network' | 'cachePage' | 'frameTexts'> = {
    network: '127.0.0.1',
    ...(audience === 'members' && { frameTexts: slotTexts }),
    cachePage: (until = Infinity) => void (cachedUntil = Math.min(midnight, until)),
  }
  const request = new Request(new URL(url, 'http://localhost'), { headers })
  const answer = () => render(request, url, { locals, clientAddress: locals.network })
  const { value: response, reads } = await recordReads(answer, true)
  const { status } = response
  const id = status >= 500 ? currentRequestId() : undefined
  const sent = [...response.headers].filter(([name]) => !UNCACHED_HEADERS.has(name))
  const isKept = CACHEABLE_STATUSES.has(status) && cachedUntil !== undefined && !response.headers.has('set-cookie')
  return {
    status,
    headers: id ? [...sent, [REQUEST_ID_HEADER.toLowerCase(), id]] : sent,
    body: Buffer.from(await response.arrayBuffer()),
    reads: isKept ? reads : null,
    expires: cachedUntil ?? 0,
  }
}
