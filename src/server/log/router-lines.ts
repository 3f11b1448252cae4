import { stripVTControlCharacters } from 'node:util'

/** Lines that Astro writes of a request that no route takes: each holds the address as it was typed. */
const ROUTER_LINES = /^[\d:]{8} \[(?:WARN|ERROR)\] (?:\[router\] (?:No API Route|\/)|Error: Invalid URL encoding)/

/** Characters in which such a line is recognised: the address behind them may be as long as a request. */
const PREFIX_CHARS = 200

/**
 * Whether `console` was given such a line. They are not logged: whoever asks for odd addresses would write the log, with
 * words of theirs. `perrario_http_requests_total` counts them by status.
 */
export const isRouterLine = ([first]: readonly unknown[]): boolean =>
  typeof first === 'string' && ROUTER_LINES.test(stripVTControlCharacters(first.slice(0, PREFIX_CHARS)))
