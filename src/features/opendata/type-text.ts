/** The keywords of JSON Schema that `typeText` reads. */
export interface JsonSchema {
  description?: string
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  required?: string[]
  format?: string
  minimum?: number
  maximum?: number
}

/** The words of a language for types. */
export interface TypeWords {
  or: string
  types: Record<string, string> & Record<'string' | 'number' | 'integer', string>
  formats: Record<string, string>
  range: (type: string, minimum: number | undefined, maximum: number) => string
  anyName: string
}

const SPANISH: TypeWords = {
  or: ' o ',
  types: { string: 'texto', number: 'número', integer: 'entero', boolean: 'true o false', null: 'null' },
  formats: { uuid: 'uuid', date: 'fecha', 'date-time': 'fecha y hora' },
  range: (type, minimum, maximum) => `${type} de ${minimum} a ${maximum}`,
  anyName: 'cualquiera',
}

/** A bound above this is only the largest safe integer, and not shown. */
const NO_BOUND_FROM = 2 ** 40

function numberText(word: string, { minimum, maximum }: JsonSchema, { range }: TypeWords): string {
  return maximum !== undefined && maximum < NO_BOUND_FROM ? range(word, minimum, maximum) : word
}

/**
 * Formats a JSON Schema as a short text in the shape of the JSON that it describes, `{ id: uuid, zone: texto o null }`, with one
 * line per field. Spanish, unless other `words` are given.
 */
export function typeText(schema: JsonSchema, words = SPANISH, indent = ''): string {
  const textOf = (part: JsonSchema) => typeText(part, words, indent)
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(words.or)
  if (schema.anyOf) return schema.anyOf.map(textOf).join(words.or)
  if (Array.isArray(schema.type)) return schema.type.map((type) => textOf({ ...schema, type })).join(words.or)
  if (schema.prefixItems) return `[${schema.prefixItems.map(textOf).join(', ')}]`
  if (schema.type === 'array') return `[${textOf(schema.items ?? {})}, …]`
  if (schema.type === 'object') return objectText(schema, words, indent)
  if (schema.type === 'integer' || schema.type === 'number') return numberText(words.types[schema.type], schema, words)
  return words.formats[schema.format ?? ''] ?? words.types[schema.type ?? ''] ?? words.types.string
}

function objectText(
  { properties = {}, additionalProperties, required = [] }: JsonSchema,
  words: TypeWords,
  indent: string,
): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(
    ([name, schema]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeText(schema, words, inner)}`,
  )
  if (lines.length === 0 && typeof additionalProperties === 'object')
    return `{ ${words.anyName}: ${typeText(additionalProperties, words, inner)} }`
  return `{\n${lines.join('\n')}\n${indent}}`
}
