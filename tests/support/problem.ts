import * as assert from 'uvu/assert'
import type { Answer } from './api.ts'

/** Asserts that an answer is this problem+json, in full: nothing else may look like one. */
export function assertProblem(
  { status, body, headers }: Answer,
  wanted: number,
  detail: string,
  errors?: object,
): void {
  assert.is(status, wanted, JSON.stringify(body))
  assert.match(headers.get('content-type')!, 'application/problem+json')
  assert.is(body.status, wanted)
  assert.is(body.detail, detail)
  assert.type(body.title, 'string')
  if (errors) assert.equal(body.errors, errors)
}
