import type { APIRoute } from 'astro'
import * as z from 'zod/mini'
import { likersAnswer } from '#features/likes/answers.ts'
import { endpoint, json } from '#server/endpoint.ts'
import { answerDifference, schemaDifference } from '#tests/support/answers/check-answer.ts'
import type { ApiEndpoint } from '../../../scripts/lib/api-endpoints.ts'
import { assert, suite } from '#tests/support/suites.ts'

const answers = suite('unit/server/answer-schemas')

const LIKER = { id: '3f0a7a52-9d53-4a8e-8c39-8a1f7a0c2b11', alias: 'Ana', emoji: '🐕' }

answers('a response with more, fewer or other fields than its schema is detected', () => {
  const difference = (liker: object) => schemaDifference(likersAnswer, { likers: [liker], nextCursor: null })
  assert.is(difference(LIKER), null)
  assert.is(difference({ ...LIKER, email: 'ana@ejemplo.es' }), '.likers.0.email is in no schema')
  assert.match(difference({ id: LIKER.id, alias: 'Ana' })!, /"emoji"/)
  assert.match(difference({ ...LIKER, alias: null })!, /"alias"/)
})

answers('an undocumented status, type or body is detected', () => {
  const one: ApiEndpoint = {
    method: 'GET',
    path: '/api/x',
    comment: '',
    answers: { 200: z.object({ a: z.int() }), 204: null, 206: 'image/jpeg' },
  }
  const difference = (status: number, type: string, text: string) => answerDifference(one, { status, type, text })
  assert.is(difference(200, 'application/json; charset=utf-8', '{"a":1}'), null)
  assert.match(difference(200, 'application/json; charset=utf-8', '{"a":"1"}')!, /"a"/)
  assert.is(difference(200, 'text/html', '{"a":1}'), 'text/html instead of JSON')
  assert.is(difference(201, 'application/json', '{"a":1}'), '201 is no status of its answers')
  assert.is(difference(204, '', ''), null)
  assert.is(difference(204, '', 'x'), '204 with a body')
  assert.is(difference(206, 'image/jpeg', 'x'), null)
  assert.is(difference(206, 'image/png', 'x'), 'image/png instead of image/jpeg')
  assert.match(difference(404, 'application/problem+json', '{"detail":"No."}')!, /"title"/)
})

answers(
  'a plain object is sent with the lowest status, others state theirs, and no response is cacheable by default',
  async () => {
    const ask = async (route: APIRoute) => {
      const response = await route({} as never)
      return [response.status, response.headers.get('cache-control'), await response.text()]
    }
    const schema = z.object({ a: z.int() })
    assert.equal(await ask(endpoint({ 201: schema, 303: null }, () => ({ a: 1 }))), [201, 'no-store', '{"a":1}'])
    assert.equal(await ask(endpoint({ 200: schema, 201: schema }, () => json({ a: 1 }, { status: 201 }))), [
      201,
      'no-store',
      '{"a":1}',
    ])
    const headers = { 'Cache-Control': 'max-age=5' }
    assert.equal(await ask(endpoint({ 200: schema }, () => json({ a: 1 }, { headers }))), [200, 'max-age=5', '{"a":1}'])
    assert.equal(await ask(endpoint({ 200: z.nullable(schema) }, () => null)), [200, 'no-store', 'null'])
    assert.equal(await ask(endpoint(() => new Response('x', { status: 418 }))), [418, null, 'x'])
  },
)
