import * as z from 'zod/mini'
import type { DetectionSettings } from '#lib/detection-settings.ts'
import { trimEndWhile } from '#lib/text/text.ts'
import { ANSWER_SCHEMA, PROMPT } from './prompt.server.ts'
import type { ServiceAnswer, ServiceCall } from './service.server.ts'

/** The answer has some sixty tokens; a model that repeats itself is stopped. */
const MAX_TOKENS = 400
/** A part of a path that names a version of an API: `v1`, `v1beta`. */
const VERSION_SEGMENT = /\/v\d\w*(?=\/|$)/

const partSchema = z.object({ text: z.optional(z.string()) })
const answerSchema = z.object({
  choices: z.optional(
    z.array(
      z.object({
        message: z.optional(z.object({ content: z.optional(z.nullable(z.union([z.string(), z.array(partSchema)]))) })),
      }),
    ),
  ),
  error: z.optional(z.nullable(z.union([z.string(), z.object({ message: z.optional(z.string()) })]))),
})

/**
 * The address that answers chat completions below a base URL: `/chat/completions` where the base's path names a version
 * (`http://localhost:11434/v1`), `/v1/chat/completions` otherwise.
 */
export function toChatAddress(base: string): string {
  const trimmed = trimEndWhile(base, /\//)
  return `${trimmed}${VERSION_SEGMENT.test(new URL(trimmed).pathname) ? '' : '/v1'}/chat/completions`
}

/** The call of an OpenAI-compatible server (Ollama, llama.cpp, LocalAI, vLLM) with a prompt and an image as a data URL. */
export function createChatCall({ key, url, model }: DetectionSettings, image: string): ServiceCall {
  const content = [
    { type: 'text', text: PROMPT },
    { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${image}` } },
  ]
  const plainBody = { model, messages: [{ role: 'user', content }] }
  const schema = { name: 'perro', strict: true, schema: ANSWER_SCHEMA }
  return {
    address: toChatAddress(url),
    headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
    body: {
      ...plainBody,
      stream: false,
      temperature: 0,
      max_tokens: MAX_TOKENS,
      response_format: { type: 'json_schema', json_schema: schema },
    },
    // Servers and models differ in the three fields above; what they do not know they answer with 400.
    plainBody,
    parse: parseChatAnswer,
  }
}

/** `choices[0].message.content` and `error.message`. An object that has neither is not of this protocol. */
function parseChatAnswer(json: unknown): ServiceAnswer | null {
  const answer = answerSchema.safeParse(json).data
  if (!answer || (!answer.choices && !answer.error)) return null
  const { error } = answer
  const content = answer.choices?.[0]?.message?.content ?? ''
  return {
    text: typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(''),
    message: error ? (typeof error === 'string' ? error : (error.message ?? '')) : undefined,
  }
}
