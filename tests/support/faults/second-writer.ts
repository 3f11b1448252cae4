/**
 * A program beside the one that is tested, at the same database: `node second-writer.ts <file> <times>` reads a row and
 * writes what it made of it, so often, and prints how often it was refused.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '#db/client.ts'
import { incrementTotal } from './concurrent-writes.ts'

const [file, times] = process.argv.slice(2)
const db = openDatabase(file!)
console.log('ready')
let refused = 0
for (let i = 0; i < Number(times); i++) {
  await incrementTotal(db).catch(() => refused++)
  // Others work too: one that asks again at once would leave them no moment.
  await wait(1)
}
await db.destroy()
console.log(`refused ${refused}`)
