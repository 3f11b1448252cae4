import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeApiReference } from './lib/api-reference.ts'

// Writes docs/api.md anew: `node scripts/api-reference.ts`, after a change of an endpoint or its answers.

writeFileSync(resolve(import.meta.dirname, '../docs/api.md'), await writeApiReference())
