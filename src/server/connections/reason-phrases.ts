import { type ServerResponse, STATUS_CODES } from 'node:http'

/**
 * Gives answers the standard phrase of their status: Astro writes «OK» behind each, 404 too. It is a property of the class, because V8 keeps
 * an object on which one is defined as a hash table: 3 kB more for each answer, and so for each open stream.
 */
export function withReasonPhrases(Response: typeof ServerResponse): typeof ServerResponse {
  const Phrased = class extends Response {}
  Object.defineProperty(Phrased.prototype, 'statusMessage', {
    get(this: ServerResponse) {
      return STATUS_CODES[this.statusCode] ?? ''
    },
    set() {},
  })
  return Phrased as typeof ServerResponse
}
