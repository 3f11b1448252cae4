/**
 * Serves the build's files from memory, each with its encoded copies (scripts/lib/compress.mjs), its ETag and ranges. It takes
 * the place of sirv, whose process ends at `Range: bytes=5-2`, which leaves a file open for every aborted download and sends
 * brotli to a client with `br;q=0` (docs/adr/0049-build-files-from-memory.md).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { acceptedEncodings, evaluateConditions, type Representation } from '#lib/http/conditional-requests.ts'
import { escapeHtml } from '#lib/text/html.ts'
import { buildFileHeaders, type SecurityHeaderSets } from './file-headers.ts'

/** All brotli copies of a build are 6 MB; no browser requests every file in every encoding. */
const MEMORY_MAX_BYTES = 16 * 1024 * 1024

interface FileVariant extends Representation {
  file: string
  /** Bytes that no file of the build has. */
  bytes?: Buffer
  /** The bytes while slow clients still use them: after an eviction they are found here and not read again. */
  recentBytes?: WeakRef<Buffer>
}

interface FileEntry {
  plain: FileVariant
  br: FileVariant | null
  gzip: FileVariant | null
}

/** One row of dist/files.json: size, hash, and the sizes as brotli and as gzip (0: there is none). */
type FileRow = [number, string, number, number]

function createFileEntry(
  client: string,
  path: string,
  [size, hash, br, gzip]: FileRow,
  baseHeaders: Record<string, string>,
): FileEntry {
  const headers = { ...baseHeaders }
  if (br || gzip) headers.Vary = 'Accept-Encoding'
  const file = join(client, path)
  const encodedVariant = (encoding: string, extension: string, size: number): FileVariant | null =>
    size
      ? {
          file: `${file}.${extension}`,
          size,
          etag: `"${hash}-${extension}"`,
          headers: { ...headers, 'Content-Encoding': encoding },
        }
      : null
  return {
    plain: { file, size, etag: `"${hash}"`, headers },
    br: encodedVariant('br', 'br', br),
    gzip: encodedVariant('gzip', 'gz', gzip),
  }
}

/** The entry of a prerendered page with other texts; null where it has none of them. */
function createFilledEntry(
  client: string,
  path: string,
  texts: readonly (readonly [from: string, to: string])[],
  headers: Record<string, string>,
) {
  const page = readFileSync(join(client, path), 'utf8')
  const filled = texts.reduce((html, [from, to]) => html.replaceAll(escapeHtml(from), () => escapeHtml(to)), page)
  if (filled === page) return null
  const plain = Buffer.from(filled)
  const [br, gzip] = [brotliCompressSync(plain), gzipSync(plain)]
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 16)
  const entry = createFileEntry(client, path, [plain.length, hash, br.length, gzip.length], headers)
  entry.plain.bytes = plain
  if (entry.br) entry.br.bytes = br
  if (entry.gzip) entry.gzip.bytes = gzip
  return entry
}

/** A file of the build that is served at another address, and its additional headers. */
export interface RelocatedFile {
  path: string
  from: string
  headers: Record<string, string>
}

/**
 * Creates a handler that answers GET and HEAD of the files under `dist/client` and leaves the rest to `next`.
 * @param dist the build; its `files.json` lists the files
 * @param security headers of all answers
 * @param relocated files that are served at another address only
 * @param siteUrl for the canonical addresses of prerendered pages; undefined where the site does not know its own
 * @param texts of prerendered pages, with those that a setting puts in their place: no setting enters the build
 */
export function createFileHandler(
  dist: string,
  security: SecurityHeaderSets,
  relocated: RelocatedFile[] = [],
  siteUrl?: string,
  texts: [from: string, to: string][] = [],
) {
  const client = join(dist, 'client')
  const rows: Record<string, FileRow> = JSON.parse(readFileSync(join(dist, 'files.json'), 'utf8'))
  // Made at the first request: of some thousand files most are never asked for, and each has up to three sets of headers.
  const entries = new Map<string, () => FileEntry>()
  const addEntry = (addresses: readonly string[], create: () => FileEntry) => {
    let entry: FileEntry | undefined
    const find = () => (entry ??= create())
    for (const address of addresses) entries.set(address, find)
  }
  // The speculation rules that rendered pages name too (server/security/headers-middleware.ts).
  const rules = Object.keys(rows).find((path) => path.endsWith('.rules'))
  const page = { ...security.page, ...(rules && { 'Speculation-Rules': `"${rules}"` }) }
  for (const [path, row] of Object.entries(rows)) {
    const [, folder] = /^(.*\/)index\.html$/.exec(path) ?? []
    const address = folder?.replace(/(.)\/$/, '$1')
    // A prerendered page is requested without its file name, with or without a trailing slash.
    addEntry(folder && address ? [path, folder, address] : [path], () => {
      const headers = buildFileHeaders(path, { ...security, page })
      // The file cannot name its address: one build serves every operator.
      if (address && siteUrl) headers.Link = `<${new URL(address, siteUrl).href}>; rel="canonical"`
      const filled = address && texts.length > 0 ? createFilledEntry(client, path, texts, headers) : null
      return filled ?? createFileEntry(client, path, row, headers)
    })
  }
  for (const { from } of relocated) entries.delete(from)
  for (const { path, from, headers } of relocated) {
    const row = rows[from]
    if (!row) throw new Error(`The build has no ${from}`)
    addEntry([path], () => createFileEntry(client, from, row, { ...buildFileHeaders(from, security), ...headers }))
  }

  const memory = new LRUCache<FileVariant, Buffer>({
    maxSize: MEMORY_MAX_BYTES,
    sizeCalculation: (bytes) => bytes.length || 1,
  })
  const pendingReads = new Map<FileVariant, Promise<Buffer>>()

  async function read(variant: FileVariant): Promise<Buffer> {
    const bytes = variant.bytes ?? variant.recentBytes?.deref() ?? (await readFile(variant.file))
    if (bytes.length !== variant.size) throw new Error(`${variant.file} has changed since the build`)
    variant.recentBytes = new WeakRef(bytes)
    memory.set(variant, bytes)
    return bytes
  }

  /** Concurrent requests share one read. */
  function readShared(variant: FileVariant): Promise<Buffer> {
    const pending = pendingReads.get(variant) ?? read(variant).finally(() => pendingReads.delete(variant))
    pendingReads.set(variant, pending)
    return pending
  }

  async function send(req: IncomingMessage, res: ServerResponse, variant: FileVariant): Promise<void> {
    const { status, headers: shared, from, to } = evaluateConditions(req.method ?? '', req.headers, variant)
    // With a cookie the answer is for one reader (security/private-cookies.ts).
    const headers = res.hasHeader('Set-Cookie') ? { ...shared, 'Cache-Control': 'private, no-cache' } : shared
    if (from === to) return void res.writeHead(status, headers).end()
    try {
      const bytes = memory.get(variant) ?? (await readShared(variant))
      res.writeHead(status, headers).end(bytes.subarray(from, to))
    } catch (error) {
      console.error('perrario · un archivo de la web no se pudo leer:', error)
      res.writeHead(500, { 'Cache-Control': 'no-store' }).end()
    }
  }

  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const entry = isRead ? entries.get(decodePath(req.url ?? ''))?.() : undefined
    if (!entry) return next()
    const encoding = acceptedEncodings(req.headers['accept-encoding']).find((name) => entry[name])
    void send(req, res, (encoding && entry[encoding]) ?? entry.plain)
  }
}

/** The path as the build spells it; empty where it cannot be decoded. */
function decodePath(url: string): string {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return ''
  }
}
