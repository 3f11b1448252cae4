import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Trx as Db } from '#db/client.ts'

const root = resolve(import.meta.dirname, '../../..')
const TOTAL_NAME = 'test of turns'

/** Reads a number and writes the next one: what is lost or refused when two do so at once without taking turns. */
export const incrementTotal = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const row = await trx.selectFrom('totals').select('value').where('name', '=', TOTAL_NAME).executeTakeFirst()
    // Like a real action, which reads rights and names before it writes.
    await new Promise((done) => setImmediate(done))
    const value = (row?.value ?? 0) + 1
    await trx
      .insertInto('totals')
      .values({ name: TOTAL_NAME, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  })

export const readTotal = async (db: Db): Promise<number> =>
  (await db.selectFrom('totals').select('value').where('name', '=', TOTAL_NAME).executeTakeFirst())?.value ?? 0

export interface SecondWriter {
  /** Waits for its end; how often it was refused. */
  end: () => Promise<number>
}

/** Another process that calls `addOne` so often at the database in `file`; it has begun when this comes back. */
export async function startSecondWriter(file: string, times: number): Promise<SecondWriter> {
  const args = ['--disable-warning=ExperimentalWarning', 'tests/support/faults/second-writer.ts', file, String(times)]
  const child: ChildProcess = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'close')
  while (!output.includes('ready') && child.exitCode === null) await new Promise((done) => setTimeout(done, 10))
  return {
    end: async () => {
      await ended
      const said = /refused (\d+)/.exec(output)
      if (!said) throw new Error(`The second writer ended early: ${output}`)
      return Number(said[1])
    },
  }
}
