import type { Json } from '#tests/support/api.ts'
import { startStubServer, type StubServer } from './stub-server.ts'

export interface GeminiRequest {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Json
}

/** What it answers: a status with a body, sent as it is; null: it never does. */
export type GeminiAnswer = { status: number; body: string; headers?: Record<string, string> } | null

export interface GeminiStub extends StubServer {
  /** The questions, oldest first. */
  requests: GeminiRequest[]
  /** Answers in order; the last one stays. */
  answers: GeminiAnswer[]
  /** Answers wait for it. */
  hold: Promise<unknown> | undefined
  /** How many questions were given up before their answer. */
  aborted: number
}

/** A generated answer as the service sends it, with more fields than we read. */
export const answerText = (text: string): GeminiAnswer => ({
  status: 200,
  body: JSON.stringify({
    candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 300, candidatesTokenCount: 3, totalTokenCount: 303 },
    modelVersion: 'modelo-de-prueba',
  }),
})

/** An error as the service sends it. */
export const answerError = (code: number, message: string, details: object[] = []): GeminiAnswer => ({
  status: code,
  body: JSON.stringify({ error: { code, message, status: 'UNKNOWN', details } }),
})

/** A local stand-in for the generative service. */
export async function startGeminiStub(): Promise<GeminiStub> {
  const server = await startStubServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    stub.requests.push({ path: request.url!, headers: request.headers, body: JSON.parse(body) })
    response.on('close', () => response.writableEnded || stub.aborted++)
    const answer = stub.answers.length > 1 ? stub.answers.shift()! : stub.answers[0]
    if (!answer) return
    await stub.hold
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers }).end(answer.body)
  })
  const answers = [answerText('Beagle')]
  const stub: GeminiStub = { ...server, requests: [], answers, hold: undefined, aborted: 0 }
  return stub
}
