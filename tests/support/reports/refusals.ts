import { rmSync } from 'node:fs'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { findLastChange } from '#db/table-changes.ts'
import { readStoredState } from '#tests/support/faults/stored-state.ts'
import { refusal } from '#tests/support/refusal.ts'
import { copyPopularDog, type PopularDog } from './popular-dog.ts'

export type Action = (world: PopularDog) => Promise<unknown>
/** An action that is refused, its status, and what comes before it. */
export type Refusal = [status: number, action: Action, prepare?: Action]

/** Adds a test for each: the action leaves every row of every table and every photo as it was, and drops no page from the cache. */
export function testRefusals(test: Test, subject: string, refusals: Record<string, Refusal>): void {
  for (const [name, [status, action, prepare]] of Object.entries(refusals))
    test(`${subject} ${name} changes nothing`, async () => {
      const world = await copyPopularDog()
      try {
        await prepare?.(world)
        const before = await readStoredState(world.db, world.dir)
        const lastChange = findLastChange()
        assert.is((await refusal(action(world)))[0], status)
        const after = await readStoredState(world.db, world.dir)
        for (const table of Object.keys(before)) assert.equal(after[table], before[table], table)
        assert.is(findLastChange(), lastChange, 'pages that leave the cache')
      } finally {
        await world.db.destroy()
        rmSync(world.dir, { recursive: true })
      }
    })
}
