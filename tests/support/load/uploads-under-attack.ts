import { spawn } from 'node:child_process'
import { once } from 'node:events'
import sharp from 'sharp'
import { PHOTO_UPLOAD_MAX_BYTES } from '#features/photos/photos.ts'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { call, formOf } from '#tests/support/api.ts'
import { phonePhoto } from '#tests/support/photos/test-pictures.ts'
import { residentTreeBytes } from '#tests/support/process-tree.ts'
import { signIn } from '#tests/support/seed.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { type Percentiles, percentilesOf } from './measure.ts'

export interface UploadFigures {
  name: string
  alone: Percentiles
  beside: Percentiles
  /** Of the medians. */
  ratio: number
}

export interface UploadsUnderAttackReport {
  uploads: UploadFigures[]
  /** Hostile pictures sent, by the status of their answer. */
  hostile: Record<number, number>
  /** Memory of all the server's processes above what they took before, bytes. */
  peak: number
  failures: string[]
}

export interface UploadsUnderAttackOptions {
  /** Alone and beside, turn about, so often; so that whatever else the machine does falls on both. */
  rounds?: number
  /** Uploads of each kind a turn. */
  uploads?: number
  /** Hostile pictures under way at once, each of another member. */
  senders?: number
  /** No further round is begun after that, ms. */
  until?: number
}

/** Each of another network, since one may add only so many dogs. */
let networkCount = 0
const nextNetworkHeaders = () => ({
  'X-Forwarded-For': `10.${(++networkCount >> 16) & 255}.${(networkCount >> 8) & 255}.${networkCount & 255}`,
})

const sendUpload = (server: TestServer, cookie: string, bytes: Uint8Array): Promise<number> =>
  call(server, '/api/dogs', {
    method: 'POST',
    cookie,
    headers: nextNetworkHeaders(),
    form: formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images: [new Blob([new Uint8Array(bytes)])] }),
  }).then(({ status }) => status)

/** Sends one hostile picture after another for each of `members`. @returns stops, once the last is answered */
async function startAttack(server: TestServer, members: { cookie: string }[], { hostile }: UploadsUnderAttackReport) {
  const args = ['--disable-warning=ExperimentalWarning', 'tests/support/load/hostile-sender.ts', server.url]
  const child = spawn(process.execPath, [...args, ...members.map(({ cookie }) => cookie)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // It draws its pictures first.
  await once(child.stdout, 'data')
  child.stdin.write('\n')
  await new Promise((done) => setTimeout(done, 500))
  return async () => {
    const said = once(child.stdout, 'data')
    child.stdin.end()
    const answers: Record<number, number> = JSON.parse(String((await said)[0]))
    for (const [status, count] of Object.entries(answers)) hostile[+status] = (hostile[+status] ?? 0) + count
  }
}

/**
 * What an ordinary upload takes while others send the tests' hostile pictures without pause, beside what it takes alone. Client
 * and server share the machine: the ratio counts, not the milliseconds.
 */
export async function measureUploadsUnderAttack(
  options: UploadsUnderAttackOptions = {},
): Promise<UploadsUnderAttackReport> {
  const { rounds = 5, uploads = 6, senders = 4, until = Infinity } = options
  const server = await startServer({ TRUST_PROXY: '1' })
  const report: UploadsUnderAttackReport = { uploads: [], hostile: {}, peak: 0, failures: [] }
  try {
    // Its grain differs from run to run, and with it its weight: at the camera's own quality it is now and then above the limit.
    const original = await sharp(await phonePhoto())
      .jpeg({ quality: 85 })
      .toBuffer()
    if (original.length > PHOTO_UPLOAD_MAX_BYTES) throw new Error(`A photo of ${original.length} bytes is refused`)
    const kinds = { 'as the form sends it': (await preparePhoto(original)).data, 'of 12 megapixels': original }
    const { cookie } = await signIn(server, 'ana@ejemplo.es')
    const members = await Promise.all(Array.from({ length: senders }, (_, n) => signIn(server, `otro${n}@ejemplo.es`)))
    const times = Object.keys(kinds).map((name) => ({ name, alone: [] as number[], beside: [] as number[] }))

    const turn = async (where: 'alone' | 'beside') => {
      for (let n = 0; n < uploads; n++)
        for (const [at, bytes] of Object.values(kinds).entries()) {
          const start = performance.now()
          const status = await sendUpload(server, cookie, bytes)
          times[at]![where].push(performance.now() - start)
          if (status !== 201) report.failures.push(`an upload ${times[at]!.name}, ${where}: ${status}`)
        }
    }

    // The first uploads begin the decoders.
    for (let n = 0; n < 3; n++) for (const bytes of Object.values(kinds)) await sendUpload(server, cookie, bytes)
    const idle = residentTreeBytes(server.pid())
    const watch = setInterval(() => (report.peak = Math.max(report.peak, residentTreeBytes(server.pid()) - idle)), 50)
    for (let round = 0; round < rounds && (round === 0 || Date.now() < until); round++) {
      await turn('alone')
      const stop = await startAttack(server, members, report)
      await turn('beside')
      await stop()
    }
    clearInterval(watch)
    report.uploads = times.map(({ name, alone, beside }) => {
      const [quiet, busy] = [percentilesOf(alone), percentilesOf(beside)]
      return { name, alone: quiet, beside: busy, ratio: busy.median / quiet.median }
    })
    return report
  } finally {
    await server.dispose()
  }
}
