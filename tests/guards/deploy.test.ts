import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSource, root } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'
import runtime from '../../scripts/lib/runtime.json' with { type: 'json' }

// What deploy/ starts is what npm start starts: the same program with the same flags.
const guard = suite('deploy')

const COMMANDS: Record<string, RegExp> = {
  'deploy/perrario.service': /^ExecStart=\S+ ((?:.*\\\n)*.*)$/m,
  'deploy/Dockerfile': /^CMD \["node", (.*)\]$/m,
}

for (const [path, command] of Object.entries(COMMANDS))
  guard(`${path} starts the program that there is`, () => {
    const words = command
      .exec(readSource(path))![1]!
      .replaceAll(/[\\",]/g, ' ')
      .trim()
      .split(/\s+/)
    assert.equal(words.slice(0, -1), runtime.args)
    assert.ok(existsSync(join(root, words.at(-1)!)), words.at(-1))
    assert.ok(readSource('scripts/start.mjs').includes(`'${words.at(-1)}'`))
  })
