import * as z from 'zod/mini'
import type { DetectionSettings } from '#lib/detection-settings.ts'
import { trimEndWhile } from '#lib/text/text.ts'
import type { ServiceAnswer, ServiceCall } from './service.server.ts'

const answerSchema = z.object({
  candidates: z.optional(
    z.array(
      z.object({
        content: z.optional(z.object({ parts: z.optional(z.array(z.object({ text: z.optional(z.string()) }))) })),
      }),
    ),
  ),
  error: z.optional(
    z.object({
      message: z.optional(z.string()),
      details: z.optional(z.array(z.object({ reason: z.optional(z.unknown()), retryDelay: z.optional(z.unknown()) }))),
    }),
  ),
})

/** The call of the Gemini API: generateContent with a prompt and a base64 image. `url` is the part before /v1beta. */
export const createGeminiCall = (
  { key, url, model }: DetectionSettings,
  image: string,
  prompt: string,
): ServiceCall => ({
  address: `${trimEndWhile(url, /\//)}/v1beta/models/${model}:generateContent`,
  headers: key === undefined ? {} : { 'x-goog-api-key': key },
  body: { contents: [{ parts: [{ text: prompt }, { inline_data: { mime_type: 'image/jpeg', data: image } }] }] },
  plainBody: null,
  parse: parseGeminiAnswer,
})

/** `candidates[0].content.parts[0].text` and `error.message`. */
function parseGeminiAnswer(json: unknown): ServiceAnswer | null {
  const answer = answerSchema.safeParse(json).data
  if (!answer) return null
  const details = answer.error?.details ?? []
  return {
    text: answer.candidates?.[0]?.content?.parts?.[0]?.text ?? '',
    message: answer.error && (answer.error.message ?? ''),
    // Google answers 400 with this reason for an unknown key.
    isKeyInvalid: details.some(({ reason }) => reason === 'API_KEY_INVALID'),
    retryAfterSeconds: details.map(({ retryDelay }) => parseFloat(String(retryDelay))).find((seconds) => seconds > 0),
  }
}
