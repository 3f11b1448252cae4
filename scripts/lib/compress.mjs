// After a build: writes .br and .gz beside every file that gets smaller by it, and dist/files.json, which the server knows its
// files by. What did not change since an earlier build comes from .cache, because brotli at its best takes half a minute for all.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TEXT = /\.(js|mjs|css|svg|html|json|webmanifest|txt|xml|wasm)$/
/** A smaller file fits one packet either way. */
const SMALL = 1024
const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_MODE: MODE, BROTLI_PARAM_SIZE_HINT: HINT } = constants

const encoders = {
  br: (data) =>
    promisify(brotliCompress)(data, {
      params: { [QUALITY]: 11, [MODE]: constants.BROTLI_MODE_TEXT, [HINT]: data.length },
    }),
  gz: (data) => promisify(gzip)(data, { level: 9 }),
}

/**
 * @param {string} dist holds `client`, the files for browsers; `files.json` is written into it: by path, the size and hash of
 * each file and the sizes of its encoded copies (0: none)
 * @param {string} cache a folder for the encoded copies of this build, by hash
 */
export async function compress(dist, cache) {
  const client = join(dist, 'client')
  const entries = await readdir(client, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  // Copies of an earlier run over the same folder.
  const waiting = names.filter((name) => !/\.(br|gz)$/.test(name)).sort()
  await mkdir(cache, { recursive: true })
  const used = new Set()
  const index = {}
  const next = waiting.values()
  const work = async () => {
    for (const file of next) {
      const data = await readFile(file)
      const hash = createHash('sha256').update(data).digest('hex').slice(0, 20)
      const sizes = { br: 0, gz: 0 }
      if (TEXT.test(file) && data.length > SMALL)
        for (const ending of ['br', 'gz']) {
          const kept = join(cache, `${hash}.${ending}`)
          used.add(`${hash}.${ending}`)
          const copy = (await readFile(kept).catch(() => null)) ?? (await encodeOnce(encoders[ending], data, kept))
          if (copy.length === 0) throw new Error(`${kept} is empty`)
          if (copy.length > data.length * 0.95) continue
          await writeFile(`${file}.${ending}`, copy)
          sizes[ending] = copy.length
        }
      index[`/${relative(client, file).split(sep).join('/')}`] = [data.length, hash, sizes.br, sizes.gz]
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() * 2 }, work))
  for (const name of await readdir(cache)) if (!used.has(name)) await rm(join(cache, name), { force: true })
  const sorted = Object.fromEntries(
    Object.keys(index)
      .sort()
      .map((path) => [path, index[path]]),
  )
  await writeFile(join(dist, 'files.json'), JSON.stringify(sorted))
}

/** Never half a copy in the cache, whatever stops the build. */
async function encodeOnce(encode, data, kept) {
  const copy = await encode(data)
  await writeFile(`${kept}.part`, copy)
  await rename(`${kept}.part`, kept)
  return copy
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compress('dist', '.cache/compressed')
