import crypto from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { BucketPhotoStore } from '#features/storage/bucket-store.server.ts'
import type { BucketSettings } from '#lib/bucket-settings.ts'

/**
 * What the service does: it works, refuses connections, fails every request, answers none, carries requests out without answering, or
 * another server is at its address.
 */
export type BucketMode = 'up' | 'refused' | 'error' | 'hanging' | 'silent' | 'replaced'

export interface TestBucket {
  settings: BucketSettings
  /** The same for a test server. */
  env: Record<string, string>
  setMode: (mode: BucketMode) => Promise<void>
  /** Requests that arrived so far, whatever became of them. */
  countRequests: () => number
  /** A store over the bucket that no mode concerns. */
  direct: BucketPhotoStore
  /** All keys in the bucket, in order. */
  listKeys: () => Promise<string[]>
  dispose: () => Promise<void>
}

const BUCKET = 'perrario'

// s3rver encrypts the tokens of its pages with DES, which OpenSSL 3 does not have.
const twice = (bytes: unknown) => Buffer.concat([bytes as Buffer, bytes as Buffer])
for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
  const real = crypto[name] as (algorithm: string, key: unknown, iv: unknown) => never
  crypto[name] = (algorithm: string, key: unknown, iv: unknown) =>
    algorithm === 'des' ? real('aes-128-cbc', twice(key), twice(iv)) : real(algorithm, key, iv)
}

/** A bucket of a real S3 server of this process, behind a proxy that can fail. */
export async function startBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'perrario-bucket-'))
  const service = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port: servicePort } = await service.run()
  let mode: BucketMode = 'up'
  let requests = 0

  const forward = (req: IncomingMessage, res: ServerResponse) => {
    const { method, url, headers } = req
    const forwarded = request({ host: '127.0.0.1', port: servicePort, method, path: url, headers }, (answer) => {
      if (mode === 'silent') return void answer.resume()
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res)
    })
    forwarded.on('error', () => res.destroy())
    req.pipe(forwarded)
  }
  const proxy = createServer((req, res) => {
    requests++
    if (mode === 'hanging') return void req.resume()
    if (mode === 'replaced') return void req.resume().on('end', () => res.writeHead(404).end('<h1>Not found</h1>'))
    if (mode === 'error') return void req.resume().on('end', () => res.writeHead(500).end())
    forward(req, res)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo

  const settings: BucketSettings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: BUCKET,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  }
  const direct = new BucketPhotoStore({ ...settings, endpoint: `http://127.0.0.1:${servicePort}` })
  return {
    settings,
    env: {
      S3_ENDPOINT: settings.endpoint,
      S3_BUCKET: settings.bucket,
      S3_REGION: settings.region,
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
    async setMode(next) {
      if (next === 'refused' && mode !== 'refused') {
        proxy.close()
        proxy.closeAllConnections()
      }
      if (next !== 'refused' && mode === 'refused') {
        proxy.listen(port, '127.0.0.1')
        await once(proxy, 'listening')
      }
      mode = next
    },
    countRequests: () => requests,
    direct,
    async listKeys() {
      const keys: string[] = []
      for await (const { key } of direct.list('')) keys.push(key)
      return keys.toSorted()
    },
    async dispose() {
      proxy.close()
      proxy.closeAllConnections()
      await service.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
