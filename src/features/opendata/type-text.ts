/** The keywords of JSON Schema that `typeText` reads. */
interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  format?: string
  minimum?: number
  maximum?: number
}

const TYPE_NAMES: Record<string, string> = {
  string: 'texto',
  number: 'número',
  integer: 'entero',
  boolean: 'true o false',
  null: 'null',
}
const FORMAT_NAMES: Record<string, string> = { uuid: 'uuid', date: 'fecha', 'date-time': 'fecha y hora' }

/** A bound above this is only the largest safe integer, and not shown. */
const NO_BOUND_FROM = 2 ** 40

function numberText({ type, minimum, maximum }: Schema): string {
  const word = TYPE_NAMES[type!]!
  return maximum !== undefined && maximum < NO_BOUND_FROM ? `${word} de ${minimum} a ${maximum}` : word
}

/**
 * Formats a JSON Schema as a short Spanish text in the shape of the JSON that it describes, `{ id: uuid, zone: texto o null }`,
 * with one line per field.
 */
export function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' o ')
  if (schema.anyOf) return schema.anyOf.map((part) => typeText(part, indent)).join(' o ')
  if (schema.prefixItems) return `[${schema.prefixItems.map((part) => typeText(part, indent)).join(', ')}]`
  if (schema.type === 'array') return `[${typeText(schema.items ?? {}, indent)}, …]`
  if (schema.type === 'object') return objectText(schema, indent)
  if (schema.type === 'integer' || schema.type === 'number') return numberText(schema)
  return FORMAT_NAMES[schema.format ?? ''] ?? TYPE_NAMES[schema.type ?? ''] ?? 'texto'
}

function objectText({ properties = {}, additionalProperties, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(
    ([name, schema]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeText(schema, inner)}`,
  )
  if (lines.length === 0 && typeof additionalProperties === 'object')
    return `{ cualquiera: ${typeText(additionalProperties, inner)} }`
  return `{\n${lines.join('\n')}\n${indent}}`
}
