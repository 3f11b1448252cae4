import { spawn } from 'node:child_process'
import { formatConsoleArguments } from '#server/log/redact.ts'
import { root } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

const disk = suite('unit/server/disk-failures')

const coded = (code: string, path?: string) => Object.assign(new Error(`${code}: write`), { code, path })

disk('a disk that is full or refuses writes is one Spanish line without a stack', () => {
  assert.equal(formatConsoleArguments(['perrario · no se pudo guardar:', coded('SQLITE_FULL')]), {
    msg: 'no se pudo guardar: no queda sitio en el disco (SQLITE_FULL)',
    code: 'SQLITE_FULL',
  })
  assert.equal(formatConsoleArguments([coded('EROFS', '/srv/var/photos')]), {
    msg: 'el disco es de solo lectura (EROFS), /srv/var/photos',
    code: 'EROFS',
  })
  assert.equal(formatConsoleArguments(['perrario · no se pudo guardar:', coded('53100')]), {
    msg: 'no se pudo guardar: PostgreSQL no tiene sitio en su disco (53100)',
    code: '53100',
  })
  for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EACCES', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY_DBMOVED'])
    assert.not.ok(formatConsoleArguments(['perrario · no:', coded(code)]).err, code)
  for (const code of ['ENOENT', 'SQLITE_BUSY', 'SQLITE_CONSTRAINT_UNIQUE'])
    assert.ok(formatConsoleArguments(['perrario · no:', coded(code)]).err?.stack, code)
})

/** Runs a program under the log of a server, and answers its lines. */
async function linesOf(body: string): Promise<string[]> {
  const program = `
    import { openLog } from '#server/log/open-log.ts'
    import { isDiskOk, watchDisk } from '#server/log/disk-failures.ts'
    import { runEvery } from '#lib/jobs.ts'
    import { setTimeout as wait } from 'node:timers/promises'
    openLog({ style: 'json', level: 'info' })
    const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    let isFull = false
    let free = 500e6
    const fail = async () => { if (isFull) throw full() }
    const watch = (intervalMs) => watchDisk(
      { readFreeBytes: async () => free, minFreeBytes: 300e6, refusedText: 'no se guardan fotos', probe: fail },
      { intervalMs },
    )
    ${body}
  `
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', program]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = (await child.stdout.toArray()).join('').trim().split('\n')
  return lines.filter(Boolean).map((line) => (JSON.parse(line) as { msg: string }).msg)
}

const JOB = 'un trabajo no se pudo hacer: no queda sitio en el disco (SQLITE_FULL)'
const OUTAGE =
  'el disco no guarda nada: no queda sitio en el disco (SQLITE_FULL), quedan 500 MB. Se enseña lo que hay, y en cuanto se pueda se vuelve a guardar'
const END = 'el disco vuelve a guardar: quedan 500 MB'

disk(
  'jobs and requests that fail again and again are one line each in an outage, which has a beginning and an end',
  async () => {
    const lines = await linesOf(`
    const watched = watch(20)
    const job = runEvery({ intervalMs: 2, delayMs: 0 }, 'perrario · un trabajo no se pudo hacer:', fail)
    for (let outage = 0; outage < 2; outage++) {
      await wait(60)
      isFull = true
      for (let i = 0; i < 100; i++) {
        await wait(2)
        console.error('perrario · las insignias de ' + crypto.randomUUID() + ' quedan para luego:', full())
        if (i > 50 && isDiskOk()) console.log('es un error')
      }
      isFull = false
      await wait(100)
      if (!isDiskOk()) console.log('es un error')
    }
    await job.close()
    await watched.close()
    process.exit(0)
  `)
    const masked = lines.map((line) => line.replace(/[0-9a-f-]{36}/, '…'))
    const badges = 'las insignias de … quedan para luego: no queda sitio en el disco (SQLITE_FULL)'
    for (const line of [JOB, badges, OUTAGE, END])
      assert.is(masked.filter((one) => one === line).length, 2, lines.join('\n'))
    assert.is(lines.length, 8, lines.join('\n'))
  },
)

disk('a failure that the disk does not explain is one line a minute, and no outage', async () => {
  const lines = await linesOf(`
    const watched = watch(10)
    for (let i = 0; i < 100; i++) {
      await wait(1)
      console.error('perrario · un trabajo no se pudo hacer:', full())
    }
    console.error('perrario · un trabajo no se pudo hacer:', new TypeError('x'))
    console.error('perrario · un trabajo no se pudo hacer:', new TypeError('x'))
    if (!isDiskOk()) console.log('es un error')
    await watched.close()
    console.error('perrario · un trabajo no se pudo hacer:', full())
    process.exit(0)
  `)
  // A bug is always logged, and so is everything where no disk is watched.
  assert.equal(lines, [JOB, 'un trabajo no se pudo hacer:', 'un trabajo no se pudo hacer:', JOB])
})

disk('too little free space is logged once, and its end once there is clearly enough', async () => {
  const lines = await linesOf(`
    const watched = watch(5)
    for (const [mb, isOk] of [[500, 1], [299, 0], [310, 0], [290, 0], [329, 0], [331, 1], [310, 1], [299, 0]]) {
      free = mb * 1e6
      await wait(60)
      if (Number(isDiskOk()) !== isOk) console.log('es un error: ' + mb)
    }
    await watched.close()
    process.exit(0)
  `)
  const low = 'quedan 299 MB de disco, menos que MIN_FREE_MB (300 MB): no se guardan fotos hasta que haya sitio'
  assert.equal(lines, [low, 'vuelve a haber sitio en el disco: quedan 331 MB', low])
})
