import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { analyse } from 'scslre'
import ts from 'typescript'
import { listFiles, readSource, root } from './sources.ts'

/** A regular expression of the sources and where it stands. */
export interface Pattern {
  path: string
  source: string
  flags: string
}

/** What runs on the server or in the browser: modules, and what stands between the dashes of an .astro file. */
function readScript(path: string): string {
  const source = readSource(path)
  return path.endsWith('.astro') ? (/^---\n([^]*?)\n---/.exec(source)?.[1] ?? '') : source
}

/** Every literal, and where patterns are put together at run time. */
export function readPatterns(): { literals: Pattern[]; built: Map<string, number> } {
  const literals: Pattern[] = []
  const built = new Map<string, number>()
  for (const path of listFiles(['src'], ['.ts', '.tsx', '.astro'])) {
    const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        literals.push({ path, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
      }
      const isBuilt = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'
      if (isBuilt) built.set(path, (built.get(path) ?? 0) + 1)
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(path, readScript(path), ts.ScriptTarget.Latest, true, kind))
  }
  return { literals, built }
}

/** The patterns that a module puts together while it is loaded: here a second time, whoever has loaded it before. */
export async function builtPatterns(path: string): Promise<Pattern[]> {
  const found: Pattern[] = []
  const Own = globalThis.RegExp
  const note = (pattern: RegExp) => {
    found.push({ path, source: pattern.source, flags: pattern.flags })
    return pattern
  }
  globalThis.RegExp = new Proxy(Own, {
    construct: (target, args) => note(Reflect.construct(target, args) as RegExp),
    apply: (target, self, args) => note(Reflect.apply(target, self, args) as RegExp),
  })
  try {
    await import(`${pathToFileURL(join(root, path)).href}?patterns`)
  } finally {
    globalThis.RegExp = Own
  }
  return found
}

/**
 * How a pattern's time may grow faster than the text it is asked of: quantifiers that share characters (`Trade`, `Self`),
 * or one that a search begins anew from each character of a run (`Move`). Empty for a linear one.
 */
export function findSuperlinear({ source, flags }: Omit<Pattern, 'path'>): string[] {
  return analyse({ source, flags }).reports.map(({ type, exponential }) =>
    exponential ? `${type}, exponential` : type,
  )
}
