import { openPostgres } from '#db/dialect/postgres/open.ts'
import { recordPosition } from '#db/positions.ts'
import { transact } from '#db/transact.ts'
import { update } from '#tests/support/rows.ts'

// A process that renames a dog for each message, and answers the position of the write: its arguments are the database and the dog.

const [, , url = '', id = ''] = process.argv
const db = openPostgres(url, { maxConnections: 2 })
let count = 0

process.on('message', async (order) => {
  const { position } = await recordPosition(() =>
    transact(db, async (trx) => {
      await update(trx, 'dogs_all', { id }, { name: `N${++count}` })
      if (order === 'fail') throw new Error('back')
    }).catch(() => {}),
  )
  process.send?.(position)
})
process.on('disconnect', async () => {
  await db.destroy()
  process.exit()
})
process.send?.(0)
