import type { ServerResponse } from 'node:http'
import type { Json } from '#tests/support/api.ts'
import { startStubServer, type StubServer } from './stub-server.ts'

export interface ChatRequest {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Json
}

/** What it answers: a status with a body, sent as it is; a function that answers by itself; null: it never does. */
export type ChatAnswer =
  | { status: number; body: string; headers?: Record<string, string> }
  | ((response: ServerResponse) => void)
  | null

export interface ChatStub extends StubServer {
  /** The questions, oldest first. */
  requests: ChatRequest[]
  /** Answers in order; the last one stays. */
  answers: ChatAnswer[]
  /** How many questions were given up before their answer. */
  aborted: number
}

/** An answer as an OpenAI-compatible server sends it, with more fields than we read. */
export const chatText = (content: unknown): ChatAnswer => ({
  status: 200,
  body: JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'modelo-de-prueba',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 900, completion_tokens: 60, total_tokens: 960 },
  }),
})

/** The object that the prompt asks for: breeds with their confidence, size, coat. */
export const chatDog = (
  razas: [raza: string, confianza: string][],
  talla: unknown = null,
  pelo: unknown = [],
): ChatAnswer =>
  chatText(JSON.stringify({ razas: razas.map(([raza, confianza]) => ({ raza, confianza })), talla, pelo }))

/** An error as such a server sends it. */
export const chatError = (status: number, message: string, headers: Record<string, string> = {}): ChatAnswer => ({
  status,
  body: JSON.stringify({ error: { message, type: 'api_error', param: null, code: null } }),
  headers,
})

/** A local stand-in for a server with a vision model. */
export async function startChatStub(): Promise<ChatStub> {
  const server = await startStubServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers } = request
    stub.requests.push({ method: method!, path: url!, headers, body: body ? JSON.parse(body) : null })
    response.on('close', () => response.writableEnded || stub.aborted++)
    const answer = stub.answers.length > 1 ? stub.answers.shift()! : stub.answers[0]
    if (typeof answer === 'function') answer(response)
    else if (answer)
      response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers }).end(answer.body)
  })
  const stub: ChatStub = { ...server, requests: [], answers: [chatDog([['Beagle', 'alta']])], aborted: 0 }
  return stub
}
