/**
 * The side that sends hostile pictures, as a process of its own, so that whoever measures is not held up by it:
 * `node tests/support/load/hostile-sender.ts URL COOKIE…`. Each session sends one picture after another, each from another network, since one
 * may add only so many dogs. Says «lista», begins at a line on stdin, ends when stdin does, and says how it was answered.
 */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { formOf } from '#tests/support/api.ts'
import { hostilePictures } from '#tests/support/photos/hostile-pictures.ts'

const [address, ...cookies] = process.argv.slice(2)
const url = new URL('/api/dogs', address)
const agent = new Agent({ keepAlive: true })
const answers: Record<number, number> = {}

/** As they go over the wire, written once: writing one costs as much as reading it. */
const bodies = await Promise.all(
  Object.values(await hostilePictures()).map(async (bytes) => {
    const images = [new Blob([new Uint8Array(bytes)])]
    const form = formOf({ name: 'Toby', breed: 'beagle', relationship: 'owner', images })
    const whole = new Request(url, { method: 'POST', body: form })
    return { type: whole.headers.get('content-type')!, bytes: Buffer.from(await whole.arrayBuffer()) }
  }),
)

let next = 0
const sendPicture = (cookie: string): Promise<number> =>
  new Promise((done) => {
    const { type, bytes } = bodies[next++ % bodies.length]!
    const network = `10.${next >> 16}.${(next >> 8) & 255}.${next & 255}`
    const headers = { Cookie: cookie, 'Content-Type': type, 'Content-Length': bytes.length, 'X-Forwarded-For': network }
    const sent = request(url, { method: 'POST', agent, headers }, (res) =>
      res.resume().on('end', () => done(res.statusCode!)),
    )
    sent.on('error', () => done(0)).end(bytes)
  })

const stopped = new AbortController()
process.stdout.write('lista\n')
await once(process.stdin, 'data')
process.stdin.resume().on('end', () => stopped.abort())
await Promise.all(
  cookies.map(async (cookie) => {
    while (!stopped.signal.aborted) {
      const status = await sendPicture(cookie)
      answers[status] = (answers[status] ?? 0) + 1
    }
  }),
)
process.stdout.write(`${JSON.stringify(answers)}\n`, () => process.exit(0))
