/** A parameter as /api/docs shows it; `type` is a text for people. */
export interface ShownParameter {
  name: string
  required: boolean
  type: string
  description: string
}

/** An endpoint as /api/docs shows it. */
export interface ShownOperation {
  id: string
  path: string
  summary: string
  description: string
  caching: string
  parameters: ShownParameter[]
  /** A working curl command; without SITE_URL, `$SITIO` replaces the origin. */
  curl: string
  /** The name of the answer's schema on the same page, «Perros»; null for an answer that is not JSON. */
  answer: string | null
  type: string
  refusals: number[]
}

export interface Docs {
  reads: ShownOperation[]
  downloads: ShownOperation[]
  schemas: { name: string; description: string; text: string }[]
  provinces: { id: string; name: string }[]
  perMinute: number
  hasAddress: boolean
}
