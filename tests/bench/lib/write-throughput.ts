/** Likes and uploads as fast as one server takes them. */
import { randomUUID } from 'node:crypto'
import type { TestServer } from '#tests/support/server.ts'
import { phonePhoto } from '#tests/support/photos/test-pictures.ts'
import type { BenchWorld } from './signed-in-members.ts'
import { sendLoad, buildRequest } from './socket-load.ts'

const UPLOAD_COUNT = 120

/** A multipart body as the form's: the fields, then the photo as browsers send it, compressed. */
function buildDogForm(boundary: string, photo: Buffer): Buffer {
  const fields = { name: 'Toby', breed: 'Beagle', age: '3', weight: '12', zone: 'Madrid', size: 'mediano' }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="images"; filename="1.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  return Buffer.concat([Buffer.from(parts.join('') + file), photo, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

/** Rate and p99 of both, as rows of a table; every like is one of its own, every upload a new dog with a photo. */
export async function benchWrites(server: TestServer, { dogs, cookies }: BenchWorld): Promise<(string | number)[][]> {
  const headers = (n: number) => ({ Cookie: cookies[n % cookies.length]! })
  const likes = await sendLoad(
    server.url,
    (n) => {
      const dog = dogs[(Math.floor(n / cookies.length) + (n % cookies.length)) % dogs.length]!
      return buildRequest('PUT', `/api/dogs/${dog.id}/like`, headers(n))
    },
    { seconds: 5 },
  )
  const boundary = randomUUID()
  const body = buildDogForm(boundary, await phonePhoto(800, 800))
  const type = `multipart/form-data; boundary=${boundary}`
  const uploads = await sendLoad(
    server.url,
    (n) =>
      n < UPLOAD_COUNT
        ? buildRequest('POST', '/api/dogs', { 'Content-Type': type, 'X-Forwarded-For': `10.0.0.${n}` }, body)
        : null,
    { connections: 4, seconds: 60 },
  )
  const row = (name: string, { rate, median, p99, failures }: typeof likes) => [name, rate, median, p99, failures]
  return [row('like, 16 at once', likes), row(`upload, ${(body.length / 1000).toFixed(0)} kB, 4 at once`, uploads)]
}
