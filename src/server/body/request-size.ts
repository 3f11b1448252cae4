import type { IncomingMessage } from 'node:http'

/** The largest body that the server reads. Every endpoint has a lower limit; the largest is ten photos of 4 MB and a form's fields. */
export const REQUEST_BODY_MAX_BYTES = 48 * 1024 * 1024

/** Whether the request announces a body that no endpoint takes. */
export const isBodyTooLarge = (req: IncomingMessage): boolean =>
  Number(req.headers['content-length'] ?? 0) > REQUEST_BODY_MAX_BYTES
