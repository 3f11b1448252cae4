import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import type { BucketSettings } from '#lib/bucket-settings.ts'
import { forEachConcurrently } from '#lib/concurrency.ts'
import { errorCode } from '#lib/error-code.ts'
import type { PhotoStore, StoredFile } from './photo-store.server.ts'
import { StoreUnavailableError } from './store-unavailable.ts'
import { StoreGate } from './store-gate.ts'

export interface BucketOptions {
  /** How long one request may take, with its body, ms. */
  timeoutMs?: number
  /** Keys of one page of a listing. */
  keysPerPage?: number
  /** Whether the log says when the bucket stops answering, and when it answers again; default: true. */
  isLogged?: boolean
  /** Called once, where a request takes longer than `slowAfterMs`. */
  onSlow?: () => void
  slowAfterMs?: number
}

/** A person waits for each request of the server. */
const TIMEOUT_MS = 5000
/** From when on somebody who started a command wants to know what it waits for. */
const SLOW_AFTER_MS = 3000
/** Before the one repetition of a request that failed at once: a connection that was just closed, a server that restarts. */
const RETRY_DELAY_MS = 100
/** Of one call. */
const CONCURRENT_DELETIONS = 8
/** The most that S3 gives. */
const KEYS_PER_PAGE = 1000

/** An error and what caused it: the client and `fetch` wrap errors. */
function listCauses(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause) causes.push(cause)
  return causes
}

const findServiceError = (error: unknown): S3ServiceError | undefined =>
  listCauses(error).find((cause) => cause instanceof S3ServiceError)
const statusOf = (error: unknown): number | null => findServiceError(error)?.status ?? null
const isTimeout = (error: unknown): boolean => listCauses(error).some(({ name }) => name === 'TimeoutError')

/** Whether trying again at once may help. All requests here may be repeated. */
const isTransient = (error: unknown): boolean => {
  const status = statusOf(error)
  return status === null ? !isTimeout(error) : status >= 500 || status === 429
}

/** Why a request failed, for the operator: «403 AccessDenied», «ECONNREFUSED». */
function explainFailure(error: unknown): string {
  const service = findServiceError(error)
  if (service) return describeAnswer(service.status, service.body ?? '')
  if (isTimeout(error)) return 'no responde a tiempo'
  const causes = listCauses(error)
  return causes.map(errorCode).find(Boolean) ?? causes.at(-1)?.message ?? String(error)
}

/** A status with the code of S3, where the body has one. */
const describeAnswer = (status: number, body: string): string =>
  `${status} ${/<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? ''}`.trim()

/**
 * `fetch` that reads each answer whole, within its timeout. An answer that nobody reads would keep its connection.
 * @throws for a 404 that is not about the key: a missing bucket, or another server at that address, must not pass for a missing photo,
 *   nor for one that is deleted
 */
const fetchWhole: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const body = await response.arrayBuffer()
  const { status, headers } = response
  // The answer to HEAD has no body.
  if (status === 404 && init?.method !== 'HEAD') {
    const description = describeAnswer(status, Buffer.from(body).toString('latin1'))
    if (description !== '404 NoSuchKey') throw new Error(description)
  }
  return new Response(status === 204 || status === 304 ? null : body, { status, headers })
}

const contentTypeOf = (key: string): string => (key.endsWith('.jpg') ? 'image/jpeg' : 'application/octet-stream')

/**
 * The photos in a bucket, by the keys that are paths in the local folder. A request that fails at once is repeated once; one that takes too
 * long is not. Every method throws StoreUnavailableError where the bucket does not answer or refuses.
 */
export class BucketPhotoStore implements PhotoStore {
  readonly isRemote = true
  readonly #client: S3mini
  readonly #keysPerPage: number
  readonly #isLogged: boolean
  readonly #slowAfterMs: number
  #onSlow: (() => void) | undefined
  readonly #gate = new StoreGate(() => performance.now())

  constructor(
    { endpoint, bucket, ...settings }: BucketSettings,
    {
      timeoutMs: requestAbortTimeout = TIMEOUT_MS,
      keysPerPage = KEYS_PER_PAGE,
      isLogged = true,
      onSlow,
      slowAfterMs = SLOW_AFTER_MS,
    }: BucketOptions = {},
  ) {
    this.#keysPerPage = keysPerPage
    this.#isLogged = isLogged
    this.#onSlow = onSlow
    this.#slowAfterMs = slowAfterMs
    // The bucket as the first part of the path: every service answers that, also one without names of its own for buckets.
    const address = `${endpoint}/${bucket}`
    this.#client = new S3mini({ ...settings, endpoint: address, requestAbortTimeout, fetch: fetchWhole })
  }

  assertAvailable(): void {
    if (this.#gate.isClosed) throw new StoreUnavailableError('no responde', { isSent: false })
  }

  async put(key: string, data: Uint8Array): Promise<void> {
    await this.#request(() =>
      this.#client.putObject(key, Buffer.from(data.buffer, data.byteOffset, data.length), contentTypeOf(key)),
    )
  }

  async get(key: string): Promise<Buffer | null> {
    const bytes = await this.#request(() => this.#client.getObjectArrayBuffer(key))
    return bytes && Buffer.from(bytes)
  }

  async stream(key: string): Promise<Readable | null> {
    // Photos are small (PHOTO_MAX_MB): whole in memory, so that one timeout holds for all of it.
    const bytes = await this.get(key)
    return bytes && Readable.from([bytes])
  }

  size(key: string): Promise<number | null> {
    return this.#request(() => ifMissing(null, this.#client.getContentLength(key)))
  }

  async isBlank(key: string): Promise<boolean> {
    return !(await this.size(key))
  }

  async delete(...keys: string[]): Promise<void> {
    await forEachConcurrently(keys, CONCURRENT_DELETIONS, async (key) => {
      await this.#request(() => ifMissing(false, this.#client.deleteObject(key)))
    })
  }

  async move(from: string, to: string): Promise<boolean> {
    const isCopied = await this.copy(from, to)
    if (isCopied) await this.delete(from)
    return isCopied
  }

  copy(from: string, to: string): Promise<boolean> {
    // With its slashes as they are, which every service reads. The client encodes them.
    const source = [this.#client.bucketName, ...from.split('/')].map(encodeURIComponent).join('/')
    const additionalHeaders = { 'x-amz-copy-source': `/${source}` }
    return this.#request(
      async () => (await ifMissing(null, this.#client.copyObject(from, to, { additionalHeaders }))) !== null,
    )
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    for (let token: string | undefined; ;) {
      const page = await this.#request(() => this.#client.listObjectsPaged('/', prefix, this.#keysPerPage, token))
      for (const { Key: key, Size: size, LastModified: time } of page?.objects ?? [])
        yield { key, bytes: Number(size), modifiedAt: new Date(time).getTime() }
      token = page?.nextContinuationToken
      if (!token) return
    }
  }

  /** Runs one request. @throws StoreUnavailableError, at once while the bucket is unavailable */
  async #request<T>(send: () => Promise<T>): Promise<T> {
    this.assertAvailable()
    const slowTimer = this.#onSlow && setTimeout(() => this.#reportSlow(), this.#slowAfterMs)
    try {
      const result = await repeatOnce(send)
      if (this.#gate.addSuccess() && this.#isLogged) console.log('perrario · el bucket de las fotos vuelve a responder')
      return result
    } catch (error) {
      const reason = explainFailure(error)
      if (this.#gate.addFailure() && this.#isLogged)
        console.warn(`perrario · el bucket de las fotos no responde (${reason})`)
      throw new StoreUnavailableError(reason, { isSent: true })
    } finally {
      clearTimeout(slowTimer)
    }
  }

  #reportSlow(): void {
    this.#onSlow?.()
    this.#onSlow = undefined
  }
}

async function repeatOnce<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!isTransient(error)) throw error
    await wait(RETRY_DELAY_MS)
    return send()
  }
}

/** The request's result, or `value` where the service has no such key. */
const ifMissing = <T, V>(value: V, request: Promise<T>): Promise<T | V> =>
  request.catch((error: unknown) => {
    if (statusOf(error) === 404) return value
    throw error
  })
