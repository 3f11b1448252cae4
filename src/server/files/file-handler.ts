/**
 * The build's files for browsers, answered from memory: each with its encoded copies (scripts/lib/compress.mjs), its ETag and
 * the right answer to a range. Ours instead of sirv's, which one `Range: bytes=5-2` ends the process of, which leaves a file
 * open for every download that is broken off, and which sends brotli to who says `br;q=0` (docs/adr/0049-build-files-from-memory.md).
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { acceptedEncodings, evaluateConditions, type Representation } from '#lib/http/conditional-requests.ts'
import { buildFileHeaders, type SecurityHeaderSets } from './file-headers.ts'

/** All brotli copies of a build are 6 MB; nobody but a program asks for everything in every encoding. */
const MEMORY_MAX_BYTES = 16 * 1024 * 1024

interface FileVariant extends Representation {
  file: string
  /** Bytes that left the memory while slow readers still hold them are found again rather than read twice. */
  recentBytes?: WeakRef<Buffer>
  /** The headers of the whole, as Node takes them fastest. */
  fullHeaders?: string[]
}

const buildFullHeaders = (copy: FileVariant): string[] =>
  Object.entries(evaluateConditions('GET', {}, copy).headers)
    .flat()
    .map(String)

interface FileEntry {
  plain: FileVariant
  br: FileVariant | null
  gzip: FileVariant | null
}

/** One row of dist/files.json: size, hash, size as brotli and as gzip (0: not made). */
type FileRow = [number, string, number, number]

function createFileEntry(
  client: string,
  path: string,
  [size, hash, br, gzip]: FileRow,
  said: Record<string, string>,
): FileEntry {
  const headers = { ...said }
  if (br || gzip) headers.Vary = 'Accept-Encoding'
  const file = join(client, path)
  const copy = (encoding: string, ending: string, size: number): FileVariant | null =>
    size
      ? {
          file: `${file}.${ending}`,
          size,
          etag: `"${hash}-${ending}"`,
          headers: { ...headers, 'Content-Encoding': encoding },
        }
      : null
  return { plain: { file, size, etag: `"${hash}"`, headers }, br: copy('br', 'br', br), gzip: copy('gzip', 'gz', gzip) }
}

/** A file that stands at another address, and what its answer says besides. */
export interface RelocatedFile {
  path: string
  from: string
  headers: Record<string, string>
}

/**
 * Answers GET and HEAD of the files under `dist/client`; leaves the rest to `next`.
 * @param dist the build; its `files.json` names what there is
 * @param trust what answers say for safety's sake
 * @param placed files that are moved; nothing stands where they come from
 */
export function createFileHandler(dist: string, trust: SecurityHeaderSets, placed: RelocatedFile[] = []) {
  const client = join(dist, 'client')
  const rows: Record<string, FileRow> = JSON.parse(readFileSync(join(dist, 'files.json'), 'utf8'))
  const entries = new Map<string, FileEntry>()
  // Which links a browser may fetch ahead: the same file that rendered pages name (server/security/headers-middleware.ts).
  const rules = Object.keys(rows).find((path) => path.endsWith('.rules'))
  const page = { ...trust.page, ...(rules && { 'Speculation-Rules': `"${rules}"` }) }
  for (const [path, row] of Object.entries(rows)) {
    const entry = createFileEntry(client, path, row, buildFileHeaders(path, { ...trust, page }))
    entries.set(path, entry)
    // A prerendered page is asked for without its file's name, with a slash or without.
    const [, folder] = /^(.*\/)index\.html$/.exec(path) ?? []
    if (folder) entries.set(folder, entry).set(folder.replace(/(.)\/$/, '$1'), entry)
  }
  for (const { from } of placed) entries.delete(from)
  for (const { path, from, headers } of placed) {
    const row = rows[from]
    if (!row) throw new Error(`The build has no ${from}`)
    entries.set(path, createFileEntry(client, from, row, { ...buildFileHeaders(from, trust), ...headers }))
  }

  const memory = new LRUCache<FileVariant, Buffer>({
    maxSize: MEMORY_MAX_BYTES,
    sizeCalculation: (bytes) => bytes.length || 1,
  })
  const pendingReads = new Map<FileVariant, Promise<Buffer>>()

  async function read(copy: FileVariant): Promise<Buffer> {
    const bytes = copy.recentBytes?.deref() ?? (await readFile(copy.file))
    if (bytes.length !== copy.size) throw new Error(`${copy.file} has changed since the build`)
    copy.recentBytes = new WeakRef(bytes)
    memory.set(copy, bytes)
    return bytes
  }

  /** Read once, however many ask. */
  function bytesOf(copy: FileVariant): Promise<Buffer> {
    const flight = pendingReads.get(copy) ?? read(copy).finally(() => pendingReads.delete(copy))
    pendingReads.set(copy, flight)
    return flight
  }

  async function send(req: IncomingMessage, res: ServerResponse, copy: FileVariant): Promise<void> {
    const { status, headers, from, to } = evaluateConditions(req.method!, req.headers, copy)
    if (from === to) return void res.writeHead(status, headers).end()
    try {
      const bytes = memory.get(copy) ?? (await bytesOf(copy))
      res.writeHead(status, headers).end(bytes.subarray(from, to))
    } catch (error) {
      console.error('A file of the build cannot be read:', error)
      res.writeHead(500, { 'Cache-Control': 'no-store' }).end()
    }
  }

  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const isOurs = req.method === 'GET' || req.method === 'HEAD'
    const entry = isOurs ? entries.get(decodePath(req.url ?? '')) : undefined
    if (!entry) return next()
    const wanted = acceptedEncodings(req.headers['accept-encoding']).find((encoding) => entry[encoding])
    const copy = wanted ? entry[wanted]! : entry.plain
    const { range, 'if-none-match': known } = req.headers
    const ready = req.method === 'GET' && range === undefined && known === undefined && memory.get(copy)
    // What nearly everybody gets, without a thing being made for it.
    if (ready) res.writeHead(200, (copy.fullHeaders ??= buildFullHeaders(copy))).end(ready)
    else void send(req, res, copy)
  }
}

/** The path as the build spells it. What cannot be decoded is no file. */
function decodePath(url: string): string {
  const path = url.split('?', 1)[0]!
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return ''
  }
}
