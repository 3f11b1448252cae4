/** A parameter in words. */
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
  /** A call that works, `$SITIO` standing for the site's address where it has none. */
  curl: string
  /** «Perros», the name of a schema on the same page; null for what is no JSON. */
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
