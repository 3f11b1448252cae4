import { listFiles, readSource } from './sources.ts'

/** What a schema asks for, as `file: field`. */
export type SchemaField = string

/** Where objects are described: `z.object({`, `z.extend(x, {`, and the shape that two of the dog's schemas share. */
const SHAPES = /\bz\s*\.object\(\{|z\.extend\(\w+, \{|const fields = \{/g
/** These read what a provider, a file of ours or a cookie says, or tell what we answer: nobody writes it into a field. */
const NOBODYS = /\.server\.ts$|^src\/features\/(auth\/(form-memory|oauth\/)|opendata\/answers)/

/** The keys of the object literal whose brace opens before `at`. */
function keysOf(source: string, at: number): string[] {
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
export const schemaFields = (): SchemaField[] => [
  ...new Set(
    listFiles(['src/features'], ['.ts'])
      .filter((path) => !NOBODYS.test(path))
      .flatMap((path) => {
        const source = readSource(path)
        if (!source.includes("from 'zod/mini'")) return []
        const name = path.slice('src/features/'.length)
        return [...source.matchAll(SHAPES)].flatMap(({ 0: text, index }) =>
          keysOf(source, index + text.length).map((key) => `${name}: ${key}`),
        )
      }),
  ),
]
