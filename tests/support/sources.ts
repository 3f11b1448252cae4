import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Every file under the folders, as paths from the root with forward slashes, filtered by ending. */
export function listFiles(folders: string[], endings: string[]): string[] {
  const found: string[] = []
  for (const folder of folders.filter((name) => existsSync(join(root, name))))
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
      if (entry.isFile() && endings.some((ending) => path.endsWith(ending))) found.push(path)
    }
  return found.sort()
}

export const readSource = (path: string): string => readFileSync(join(root, path), 'utf8')

/** What a file imports, as written: static, dynamic and re-exported, types included. */
export function importsOf(source: string): string[] {
  const pattern =
    /(?:^|[^.\w])(?:import|export)\s+(?:[\w*{}\s,$]+?\s+from\s+)?['"]([^'"\n]+)['"]|import\(\s*['"]([^'"\n]+)['"]\s*\)/g
  return [...source.matchAll(pattern)].map((m) => m[1] ?? m[2]!)
}
