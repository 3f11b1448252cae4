import { readdir, readFile, rm, rmdir, stat, statfs, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeFileAtomically } from '#features/storage/files.server.ts'
import { DAY_MS } from '#lib/time.ts'

/** What renders may take of the disk (env.ts). */
export interface RenderCacheLimits {
  /** Of `DATA_DIR/cache`; 0: no limit. */
  renderCacheBytes: number
  /** Free bytes of the disk below which nothing is added; 0: not checked. */
  minFreeBytes: number
}

/** Renders are the first that a disk has no space for: they are made again, and nothing else is. As multiples of `minFreeBytes`. */
const STORE_FREE_FACTOR = 1.5
const PRUNE_FREE_FACTOR = 2

/** Parts of the limit from which, and down to which, the least recently used renders are deleted. */
const PRUNE_FROM = 0.9
const PRUNE_TO = 0.8

const NO_LIMITS: RenderCacheLimits = { renderCacheBytes: 0, minFreeBytes: 0 }

const state = {
  limits: NO_LIMITS,
  /** Bytes of the cache: what was measured last, and what was stored since. Deleted files count until it is measured again. */
  usedBytes: 0,
  isMeasured: false,
}

/** The unit in which disks give space. */
const BLOCK_BYTES = 4096
const toDiskBytes = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES

const cacheFolder = (dataDir: string): string => join(dataDir, 'cache')

/** Free bytes of the disk; null where they cannot be read. */
async function readFreeBytes(dataDir: string): Promise<number | null> {
  const disk = await statfs(dataDir).catch(() => null)
  return disk && disk.bavail * disk.bsize
}

/** Whether a render of `bytes` may be stored: neither the cache nor the disk is full. */
export async function hasRenderSpace(dataDir: string, bytes = 0): Promise<boolean> {
  const { renderCacheBytes, minFreeBytes } = state.limits
  if (renderCacheBytes > 0 && state.usedBytes + toDiskBytes(bytes) > renderCacheBytes) return false
  if (minFreeBytes === 0) return true
  const free = await readFreeBytes(dataDir)
  return free === null || free - bytes >= minFreeBytes * STORE_FREE_FACTOR
}

/** A stored render, which counts as used now; null where there is none. */
export async function readRender(file: string): Promise<Buffer | null> {
  const bytes = await readFile(file).catch(() => null)
  if (bytes) void markAsUsed(file)
  return bytes
}

/** The file's time is that of its last use, to the day: `noatime` leaves no other trace of it. */
async function markAsUsed(file: string, now = Date.now()): Promise<void> {
  try {
    const { mtimeMs } = await stat(file)
    if (now - mtimeMs > DAY_MS) await utimes(file, now / 1000, now / 1000)
  } catch {
    // Deleted meanwhile, or a disk that takes no writes.
  }
}

/**
 * Stores a render where the limits leave space for it.
 * @returns whether it was stored
 * @throws what the file system throws
 */
export async function writeRender(dataDir: string, file: string, picture: Uint8Array): Promise<boolean> {
  if (!(await hasRenderSpace(dataDir, picture.length))) return false
  state.usedBytes += toDiskBytes(picture.length)
  await writeFileAtomically(file, picture)
  return true
}

interface CachedFile {
  path: string
  bytes: number
  usedAt: number
}

async function* walkFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walkFiles(path)
    else yield path
  }
}

/** The files of the cache; measures it. */
async function listCachedFiles(dataDir: string, signal: AbortSignal): Promise<CachedFile[]> {
  const { usedBytes } = state
  const files: CachedFile[] = []
  for await (const path of walkFiles(cacheFolder(dataDir))) {
    signal.throwIfAborted()
    const info = await stat(path).catch(() => null)
    if (info) files.push({ path, bytes: toDiskBytes(info.size), usedAt: info.mtimeMs })
  }
  const storedMeanwhile = state.usedBytes - usedBytes
  state.usedBytes = files.reduce((sum, { bytes }) => sum + bytes, 0) + storedMeanwhile
  state.isMeasured = true
  return files
}

/** Bytes that have to go so that the cache is within its limit, and the disk has free space for what cannot be made again. */
async function countExcessBytes(dataDir: string): Promise<number> {
  const { renderCacheBytes, minFreeBytes } = state.limits
  const isFull = renderCacheBytes > 0 && state.usedBytes > renderCacheBytes * PRUNE_FROM
  const ofCache = isFull ? state.usedBytes - renderCacheBytes * PRUNE_TO : 0
  const free = minFreeBytes > 0 ? await readFreeBytes(dataDir) : null
  const isLow = free !== null && free < minFreeBytes * STORE_FREE_FACTOR
  const ofDisk = isLow ? minFreeBytes * PRUNE_FREE_FACTOR - free : 0
  return Math.min(state.usedBytes, Math.max(ofCache, ofDisk))
}

/** Deletes the least recently used renders where the cache or the disk is full. @returns how many */
export async function pruneRenderCache(dataDir: string, signal = new AbortController().signal): Promise<number> {
  if (state.isMeasured && (await countExcessBytes(dataDir)) === 0) return 0
  const files = await listCachedFiles(dataDir, signal)
  let excess = await countExcessBytes(dataDir)
  let deleted = 0
  for (const { path, bytes } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (excess <= 0) break
    signal.throwIfAborted()
    await rm(path, { force: true })
    // Fails while the folder has other renders.
    await rmdir(dirname(path)).catch(() => {})
    excess -= bytes
    state.usedBytes -= bytes
    deleted++
  }
  return deleted
}

/** Bounds `DATA_DIR/cache` by these limits from now on; by none by default. */
export function limitRenderCache({ renderCacheBytes, minFreeBytes }: RenderCacheLimits = NO_LIMITS): void {
  Object.assign(state, { limits: { renderCacheBytes, minFreeBytes }, usedBytes: 0, isMeasured: false })
}
