import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listFiles, readSource } from '#tests/support/sources.ts'

const guard = suite('styles')

guard('every stylesheet with layers says their order first', () => {
  // Whichever chunk a page loads first fixes the order of the layers for all.
  const faults = listFiles(['src'], ['.css']).filter((path) => {
    const source = readSource(path)
    const first = source.search(/@layer \w+ \{/)
    return first >= 0 && !source.slice(0, first).includes('@layer base, shell, parts;')
  })
  assert.equal(faults, [], 'begin them with: @layer base, shell, parts;')
})

guard('no style asks another site for anything', () => {
  assert.equal(
    listFiles(['src'], ['.css']).filter((path) => /url\(['"]?https?:/.test(readSource(path))),
    [],
  )
})

guard.run()
