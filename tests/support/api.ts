import * as assert from 'uvu/assert'
import type { TestServer } from './server.ts'

/** A JSON text of any shape. A test says by its expectations what it holds. */
// oxlint-disable-next-line typescript/no-explicit-any -- as JSON.parse returns it
export type Json = any

/** What a call answered: its status, its JSON (undefined without a body) and its headers. */
export interface Answer {
  status: number
  body: Json
  headers: Headers
}

export interface Call {
  method?: string
  cookie?: string | undefined
  json?: unknown
  form?: FormData
  /** Fields of a plain form, as pages without script send them. */
  fields?: Record<string, string>
  body?: BodyInit
  headers?: Record<string, string>
}

/** Calls a test server as a program would, with no browser's Origin unless `headers` names one. */
export async function call(server: TestServer, path: string, options: Call = {}): Promise<Answer> {
  const { method = 'GET', cookie, json, form, fields, headers } = options
  const written = json === undefined ? fields && String(new URLSearchParams(fields)) : JSON.stringify(json)
  const response = await fetch(server.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(cookie && { Cookie: cookie }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(fields && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    body: written ?? form ?? options.body ?? null,
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    body: /json/.test(type) ? JSON.parse(text) : text || undefined,
    headers: response.headers,
  }
}

/** What is answered, which fails with another status. */
export async function answered<T extends { status: number }>(status: number, asked: Promise<T>): Promise<T> {
  const answer = await asked
  assert.is(answer.status, status, JSON.stringify(answer))
  return answer
}

/** Its status and where it leads. */
export const redirectOf = ({ status, headers }: Pick<Answer, 'status' | 'headers'>) => [status, headers.get('location')]
/** Its status and its sentence. */
export const detailOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body.detail]
/** Its status and what it holds. */
export const contentOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body]

/** A multipart form; a value that is a list becomes repeated parts. */
export function formOf(fields: Record<string, string | Blob | readonly (string | Blob)[]>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const part of Array.isArray(value) ? value : [value])
      if (typeof part === 'string') form.append(name, part)
      else form.append(name, part as Blob, part instanceof File ? part.name : 'foto.jpg')
  return form
}
