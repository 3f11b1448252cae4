import { listFiles, readSource } from '#tests/support/sources.ts'

// What there is to be asked for, read off the sources: a route that nobody wrote a row for is found here.

const EXPORTED_METHOD = /(?:\bas|\bconst|\bfunction) (GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|ALL)\b/g
const methodsOf = (source: string) => [...new Set([...source.matchAll(EXPORTED_METHOD)].map(([, method]) => method!))]

/** A page is read; one that looks at the method or reads a body takes a form, too. */
const BODY_USE = /request\.(method|body|formData|json|text|arrayBuffer)\b|\breadForm\(|\breadJson\(|\bhandle\w+Page\(/

const addressOf = (path: string) =>
  path
    .replace('src/pages', '')
    .replace(/\.(astro|ts)$/, '')
    .replace(/\/index$/, '') || '/'

/** `METHOD /address` of every file under src/pages. */
export function readPageRoutes(): string[] {
  const files = listFiles(['src/pages'], [''])
  const other = files.filter((path) => !/\.(astro|ts)$/.test(path))
  if (other.length > 0) throw new Error(`What do these answer? ${other.join(', ')}`)
  return files.flatMap((path) => {
    const source = readSource(path)
    const methods = path.endsWith('.ts') ? methodsOf(source) : BODY_USE.test(source) ? ['GET', 'POST'] : ['GET']
    if (methods.length === 0) throw new Error(`${path} answers no method`)
    return methods.map((method) => `${method} ${addressOf(path)}`)
  })
}

/** The same of what integrations route besides. */
export const readInjectedRoutes = (): string[] =>
  listFiles(['src/integrations'], ['.ts']).flatMap((path) =>
    [...readSource(path).matchAll(/injectRoute\(\{ pattern: '([^']+)', entrypoint: '\.\/([^']+)'/g)].flatMap(
      ([, address, entry]) => methodsOf(readSource(entry!)).map((method) => `${method} ${address}`),
    ),
  )

/** What the pipeline puts before Astro, by its name in src/app/main.ts. */
export function readPipelineParts(): string[] {
  const given = /openPipeline\(\{\n([\s\S]*?)\n {2}\}\)/.exec(readSource('src/app/main.ts'))?.[1]
  return [...(given ?? '').matchAll(/^ {4}(\w+)/gm)].map(([, name]) => name!)
}

/** Addresses that files outside of src/pages compare a request's with. */
export const readAddressesBeforeAstro = (): string[] => {
  const readers = listFiles(['src', 'scripts'], ['.ts']).filter((path) => /\breq\.url\b/.test(readSource(path)))
  return [
    ...new Set(
      readers.flatMap((path) =>
        [...readSource(path).matchAll(/'(\/[\w.-]+[\w./-]*)'/g)].map(([, address]) => address!),
      ),
    ),
  ].toSorted()
}
