// After a build: writes .br and .gz copies beside every file that gets smaller, and dist/files.json, the server's index of its
// files. Copies of unchanged files come from .cache, because brotli's best quality takes half a minute for all of them.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TEXT = /\.(js|mjs|css|svg|html|json|webmanifest|txt|xml|wasm)$/
/** Files up to this size fit one packet, compressed or not. */
const MIN_BYTES = 1024
/**
 * Drawings are two thousand files, and one library 3 MB: brotli's second best quality takes half of the best one's time there, and
 * half a percent more bytes for drawings, three for the library.
 */
const QUICK = /\.svg$/
const QUICK_BYTES = 1024 ** 2
const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_MODE: MODE, BROTLI_PARAM_SIZE_HINT: HINT } = constants

const encoders = {
  br: (data, file) =>
    promisify(brotliCompress)(data, {
      params: {
        [QUALITY]: QUICK.test(file) || data.length > QUICK_BYTES ? 10 : 11,
        [MODE]: constants.BROTLI_MODE_TEXT,
        [HINT]: data.length,
      },
    }),
  gz: (data) => promisify(gzip)(data, { level: 9 }),
}

/**
 * @param {string} dist a folder with `client`, the files for browsers. `files.json` is written into it: by path, the size and
 * hash of each file and the sizes of its encoded copies (0: none).
 * @param {string} cache a folder for the encoded copies of this build, by hash
 */
export async function compress(dist, cache) {
  const client = join(dist, 'client')
  const entries = await readdir(client, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  // Without the copies of an earlier run over the same folder.
  const sources = names.filter((name) => !/\.(br|gz)$/.test(name)).sort()
  await mkdir(cache, { recursive: true })
  const usedCopies = new Set()
  const index = {}
  const queue = sources.values()
  const compressQueued = async () => {
    for (const file of queue) {
      const data = await readFile(file)
      const hash = createHash('sha256').update(data).digest('hex').slice(0, 20)
      const sizes = { br: 0, gz: 0 }
      if (TEXT.test(file) && data.length > MIN_BYTES)
        for (const ending of ['br', 'gz']) {
          const cached = join(cache, `${hash}.${ending}`)
          usedCopies.add(`${hash}.${ending}`)
          const copy =
            (await readFile(cached).catch(() => null)) ??
            (await encodeToCache(() => encoders[ending](data, file), cached))
          if (copy.length === 0) throw new Error(`${cached} is empty`)
          if (copy.length > data.length * 0.95) continue
          await writeFile(`${file}.${ending}`, copy)
          sizes[ending] = copy.length
        }
      index[`/${relative(client, file).split(sep).join('/')}`] = [data.length, hash, sizes.br, sizes.gz]
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() * 2 }, compressQueued))
  for (const name of await readdir(cache)) if (!usedCopies.has(name)) await rm(join(cache, name), { force: true })
  const sorted = Object.fromEntries(
    Object.keys(index)
      .sort()
      .map((path) => [path, index[path]]),
  )
  await writeFile(join(dist, 'files.json'), JSON.stringify(sorted))
}

/** Encodes and stores a copy. The rename makes it atomic: an interrupted build leaves no partial copy in the cache. */
async function encodeToCache(encode, cached) {
  const copy = await encode()
  await writeFile(`${cached}.part`, copy)
  await rename(`${cached}.part`, cached)
  return copy
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compress('dist', '.cache/compressed')
