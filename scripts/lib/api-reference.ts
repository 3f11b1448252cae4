import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import { toJSONSchema } from 'zod/v4/core'
import { typeText, type TypeWords } from '../../src/features/opendata/type-text.ts'
import { type ApiEndpoint, readApiEndpoints } from './api-endpoints.ts'

const root = resolve(import.meta.dirname, '../..')

const ENGLISH: TypeWords = {
  or: ' | ',
  types: { string: 'string', number: 'number', integer: 'integer', boolean: 'boolean', null: 'null' },
  formats: { uuid: 'uuid', date: 'date', uri: 'url' },
  range: (type, minimum, maximum) => `${type} ${minimum}..${maximum}`,
  anyName: '[name]',
}

type Registry = z.core.$ZodRegistry<{ id: string }>

/** The schemas of all features' answers.ts, by the name of their export without «Answer». */
async function registerAnswers(): Promise<Registry> {
  const registry: Registry = z.registry<{ id: string }>()
  const files = readdirSync(join(root, 'src/features'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /(^|[\\/])answers\.ts$/.test(name)).sort()) {
    const module: Record<string, z.ZodMiniType> = await import(pathToFileURL(join(root, 'src/features', file)).href)
    for (const [name, schema] of Object.entries(module)) {
      const id = name.replace(/Answer$/, '')
      registry.add(schema, { id: id.charAt(0).toUpperCase() + id.slice(1) })
    }
  }
  return registry
}

/** The text of each registered schema, by name; those inside it are named. */
function schemaTexts(registry: Registry): [name: string, text: string][] {
  const { schemas } = toJSONSchema(registry, { io: 'input', uri: (id) => id })
  return Object.entries(schemas)
    .map(([name, schema]): [string, string] => [name, typeText(schema as Parameters<typeof typeText>[0], ENGLISH)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

const toAddress = (path: string) => path.replaceAll('[', '{').replaceAll(']', '}')

function answerText(answer: z.ZodMiniType | string | null, registry: Registry): string {
  if (answer === null) return 'no body'
  if (typeof answer === 'string') return answer
  const id = registry.get(answer)?.id
  if (id) return `[${id}](#${id.toLowerCase()})`
  const { $schema: _, ...schema } = toJSONSchema(answer, { io: 'input' })
  return `\`${typeText(schema as Parameters<typeof typeText>[0], ENGLISH).replace(/\s+/g, ' ')}\``
}

/** What the comment of a handler says beside its address: `@throws` lists the statuses of errors, which every call may answer. */
const toDescription = (comment: string): string =>
  comment
    .replace(/@throws.*$/, '')
    .replace(/^`?(?:GET|POST|PUT|PATCH|DELETE)(?: \(Apple: POST\)| or [A-Z]+)* [^\s`:]*`?(?:[:;] ?| |$)/, '')
    .trim()
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())

function endpointText({ method, path, answers = {}, comment }: ApiEndpoint, registry: Registry): string {
  const lines = Object.entries(answers).map(([status, answer]) => `- ${status}: ${answerText(answer, registry)}`)
  const description = toDescription(comment)
  return [`### ${method} ${toAddress(path)}`, ...(description ? [description] : []), lines.join('\n')].join('\n\n')
}

const INTRODUCTION = `# HTTP API

Written by \`node scripts/api-reference.ts\` from the schemas of the endpoints' answers; \`guards/api-answers\` compares it. Reads
without an account are described in more detail at \`/api/docs\`, and as OpenAPI 3.1 at \`/api/openapi.json\`.

Every error is \`application/problem+json\` (RFC 9457): \`{ type, title, status, detail, errors?, requestId?, proofOfWork? }\` with a Spanish \`detail\`.
\`proofOfWork: { challenge, header }\` comes with a 429 of a network that misbehaved: solve what \`GET\` of \`challenge\` answers, and send the call
again with \`{ challenge, solution }\` as JSON in base64 in that header ([0171](adr/0171-suspect-networks-prove-work.md)).
Bodies of writes are JSON; where a 303 is listed, a plain form is taken too and redirected. Ids are UUIDs, times milliseconds since
the epoch. A field with \`?\` may be missing.

\`GET /api/events\` is a stream of server-sent events (\`text/event-stream\`), answered before the routes below: \`like\` with
[LikeEvent](#likeevent), \`dog\` with [DogEvent](#dogevent), \`comment\` with [CommentEvent](#commentevent) and \`notification\` with
[NotificationEvent](#notificationevent) as JSON.`

/** docs/api.md: every endpoint of the API with what it answers, and the schemas by name. */
export async function writeApiReference(): Promise<string> {
  const registry = await registerAnswers()
  const endpoints = (await readApiEndpoints()).filter(({ answers }) => answers !== undefined)
  const sections = [
    INTRODUCTION,
    '## Endpoints',
    ...endpoints.map((endpoint) => endpointText(endpoint, registry)),
    '## Schemas',
    ...schemaTexts(registry).map(([name, text]) => `### ${name}\n\n\`\`\`\n${text}\n\`\`\``),
  ]
  return `${sections.join('\n\n')}\n`
}
