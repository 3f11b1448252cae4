/** What of a JSON Schema is read here. */
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

/** Beyond this a bound only says that numbers end. */
const NO_BOUND_FROM = 2 ** 40

function numberText({ type, minimum, maximum }: Schema): string {
  const word = TYPE_NAMES[type!]!
  return maximum !== undefined && maximum < NO_BOUND_FROM ? `${word} de ${minimum} a ${maximum}` : word
}

/**
 * A JSON Schema in a few words of Spanish, in the shape of the JSON it describes: `{ id: uuid, zone: texto o null }`, one
 * line a field.
 */
export function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' o ')
  if (schema.anyOf) return schema.anyOf.map((one) => typeText(one, indent)).join(' o ')
  if (schema.prefixItems) return `[${schema.prefixItems.map((one) => typeText(one, indent)).join(', ')}]`
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
