import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeApiReference } from './lib/api-reference.ts'
import { OPENAPI_FILE, writeOpenApi } from './lib/openapi.ts'

// Writes docs/api.md and data/openapi.json anew: `node scripts/api-reference.ts`, after a change of an endpoint or its answers.

writeFileSync(resolve(import.meta.dirname, '../docs/api.md'), await writeApiReference())
writeFileSync(OPENAPI_FILE, await writeOpenApi())
