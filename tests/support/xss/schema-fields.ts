import { DOG_FIELD_NAMES } from '#features/dogs/write/dog-fields.ts'
import { SWITCH_NAMES } from '#features/notifications/push/settings.ts'
import { listFiles, readSource } from '#tests/support/sources.ts'

/** What a schema asks for, as `file: field`. */
export type SchemaField = string

/** Where objects are described: `z.object({`, `z.extend(x, {`. A dog's fields and the switches have tables of their own. */
const SCHEMA_OPENINGS = /\bz\s*\.object\(\{|z\.extend\(\w+, \{/g
/** These read what a provider, a file of ours or a cookie says, or tell what we answer: nobody writes it into a field. */
const NOT_USER_INPUT =
  /\.server\.ts$|^src\/features\/(auth\/(flash-cookie|oauth\/)|opendata\/answer-schemas)|\/answers\.ts$/

/** The keys of the object literal whose brace opens before `at`. */
function readKeys(source: string, at: number): string[] {
  let depth = 1
  let own = ''
  for (let i = at; depth > 0 && i < source.length; i++) {
    const sign = source[i]!
    if (')}]'.includes(sign)) depth--
    if (depth === 1) own += sign
    if ('({['.includes(sign)) depth++
  }
  const bare = own.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
  return [...bare.matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,]|$)/g)].map(([, key]) => key!)
}

/** Every field that a call or a form may fill, read from the sources, so that a new one is not forgotten. */
export const listSchemaFields = (): SchemaField[] => [
  ...DOG_FIELD_NAMES.map((name) => `dogs/write/dog-input.ts: ${name}`),
  ...SWITCH_NAMES.map((name) => `notifications/push/settings.ts: ${name}`),
  ...new Set(
    listFiles(['src/features'], ['.ts'])
      .filter((path) => !NOT_USER_INPUT.test(path))
      .flatMap((path) => {
        const source = readSource(path)
        if (!source.includes("from 'zod/mini'")) return []
        const name = path.slice('src/features/'.length)
        return [...source.matchAll(SCHEMA_OPENINGS)].flatMap(({ 0: text, index }) =>
          readKeys(source, index + text.length).map((key) => `${name}: ${key}`),
        )
      }),
  ),
]
