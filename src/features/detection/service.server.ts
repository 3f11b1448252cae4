import { STATUS_CODES } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { DetectionSettings } from '#lib/detection-settings.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { truncateCharacters } from '#lib/text/text.ts'
import { createChatCall } from './chat-completions.server.ts'
import { DETECTION_TEXTS } from './detection.ts'
import { createGeminiCall } from './gemini.server.ts'
import { BREED_PROMPT, PROMPT } from './prompt.server.ts'

export interface ServiceOptions {
  /** Aborts the request. */
  signal?: AbortSignal | undefined
  /** Asks Gemini for the breed's name alone (docs/product.md §11.3). */
  isBreedOnly?: boolean
  /** Before the second try. */
  retryDelayMs?: number
}

/** What a service's protocol makes of a photo. */
export interface ServiceCall {
  address: string
  /** The key, if there is one, among them. */
  headers: Record<string, string>
  body: unknown
  /** The same question in the words that every server knows, for the second try after a 400; null: a 400 is final. */
  plainBody: unknown
  /** Reads a response's JSON; null where it is none of the protocol's. */
  parse: (json: unknown) => ServiceAnswer | null
}

export interface ServiceAnswer {
  /** What the model wrote; '' for nothing. */
  text: string
  /** The service's error, in its own words; undefined without one. */
  message?: string | undefined
  isKeyInvalid?: boolean
  retryAfterSeconds?: number | undefined
}

const RETRY_DELAY_MS = 500
/** A response is a few words in some hundred bytes of JSON. */
const MAX_ANSWER_BYTES = 256 * 1024
const MAX_MESSAGE_CHARS = 200
/** When the service sends no delay. */
const DEFAULT_RETRY_AFTER_SECONDS = 60

/**
 * Asks the operator's service what a JPEG shows (docs/product.md §11.3). Asks once more after a 5xx, and after a 400 that may
 * concern the form of the request.
 * @returns what the model wrote; '' for nothing
 * @throws AppError with the row of docs/product.md §21.3: 422 for a refused image, 429 with Retry-After, 504 without a response in
 * time, 502 otherwise
 */
export async function requestDetection(
  settings: DetectionSettings,
  jpeg: Uint8Array,
  { signal, retryDelayMs = RETRY_DELAY_MS, isBreedOnly = false }: ServiceOptions = {},
): Promise<string> {
  const image = Buffer.from(jpeg).toString('base64')
  const call =
    settings.service === 'gemini'
      ? createGeminiCall(settings, image, isBreedOnly ? BREED_PROMPT : PROMPT)
      : createChatCall(settings, image)
  const timeoutSignal = AbortSignal.timeout(settings.timeoutMs)
  const anySignal = signal ? AbortSignal.any([timeoutSignal, signal]) : timeoutSignal
  try {
    let response = await postQuestion(call, call.body, anySignal)
    if (response.status >= 500) {
      await response.body?.cancel()
      await wait(retryDelayMs, undefined, { signal: anySignal })
      response = await postQuestion(call, call.body, anySignal)
    } else if (response.status === 400 && call.plainBody !== null) {
      await response.body?.cancel()
      response = await postQuestion(call, call.plainBody, anySignal)
    }
    return readAnswer(response, await readBody(response), call, settings.key)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal?.aborted || timeoutSignal.aborted) throw new AppError(504, DETECTION_TEXTS.late)
    const { message, cause } = error as Error
    // The cause names the failure («ECONNREFUSED», «unexpected redirect»). Neither text contains the request.
    const reason = cause instanceof Error ? `${message}, ${cause.message}` : message
    console.error(`perrario · la detección de raza falló: ${reason}`)
    throw new AppError(502, DETECTION_TEXTS.unreachable)
  }
}

const postQuestion = ({ address, headers }: ServiceCall, body: unknown, signal: AbortSignal) =>
  fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal,
    // A redirect could send the key to another host.
    redirect: 'error',
  })

/** The response's text. @throws AppError 502 above MAX_ANSWER_BYTES */
async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new AppError(502, DETECTION_TEXTS.garbled)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function readAnswer(response: Response, body: string, call: ServiceCall, key: string | undefined): string {
  const answer = parseAnswer(body, call)
  if (response.ok && answer && answer.message === undefined) return answer.text
  const message = redactMessage(answer?.message ?? '', key)
  const { status } = response
  const statusText = redactMessage(response.statusText, key) || (STATUS_CODES[status] ?? '')
  const error = toAppError(response, answer, message || undefined, statusText)
  // A 400 about the image alone is the sender's; one that came twice may as well be a model without eyes.
  if (error.status !== 429 && (error.status !== 422 || call.plainBody !== null))
    console.error(`perrario · la detección de raza respondió ${status} ${statusText}${message && `: ${message}`}`)
  throw error
}

function toAppError(
  { status, ok, headers }: Response,
  answer: ServiceAnswer | null,
  message: string | undefined,
  statusText: string,
): AppError {
  if (status === 401 || status === 403 || answer?.isKeyInvalid) return new AppError(502, DETECTION_TEXTS.key)
  if (status === 429) {
    const retryAfter = Number(headers.get('retry-after')) || answer?.retryAfterSeconds || DEFAULT_RETRY_AFTER_SECONDS
    return new AppError(429, DETECTION_TEXTS.tooMany, { retryAfter: Math.min(Math.max(retryAfter, 1), 3600) })
  }
  if (status === 400) return invalid(DETECTION_TEXTS.image, { image: DETECTION_TEXTS.image })
  if (message) return new AppError(502, `Error: ${message}`)
  return new AppError(502, ok ? DETECTION_TEXTS.garbled : `Error ${status}: ${statusText}`)
}

/** The read body; an answer without text for an empty one, null for anything else. */
function parseAnswer(body: string, { parse }: ServiceCall): ServiceAnswer | null {
  if (!body.trim()) return { text: '' }
  try {
    return parse(JSON.parse(body))
  } catch {
    return null
  }
}

/** The service's message, safe to show: one line, truncated, without the key. */
const redactMessage = (text: string, key: string | undefined) =>
  truncateCharacters((key ? text.replaceAll(key, '…') : text).replace(/[\s\p{C}]+/gu, ' ').trim(), MAX_MESSAGE_CHARS)
