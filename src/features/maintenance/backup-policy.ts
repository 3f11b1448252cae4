import { madridDay } from '#lib/dates.ts'
import type { BackupRetention } from '#lib/backup-retention.ts'
import { backupTime } from './maintenance.ts'
import { DAY_MS, HOUR_MS } from '#lib/time.ts'

/** The day in Madrid (20261123), its week as the day of its Monday, and its month (202611). */
function periodsOf(time: number): Record<keyof BackupRetention, number> {
  const day = madridDay(time)
  const noon = Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100, 12)
  const sinceMonday = (new Date(noon).getUTCDay() + 6) % 7
  const monday = new Date(noon - sinceMonday * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
  return { daily: day, weekly: Number(monday), monthly: Math.floor(day / 100) }
}

/** Selects the backups to delete under `retention`. The newest always stays, and other names are ignored. */
export function selectExpiredBackups(names: readonly string[], retention: BackupRetention): string[] {
  const backups = names
    .flatMap((name) => {
      const time = backupTime(name)
      return time === null ? [] : [{ name, time }]
    })
    .toSorted((a, b) => (a.name < b.name ? 1 : -1))
  const retained = new Set(backups.slice(0, 1).map(({ name }) => name))
  for (const kind of ['daily', 'weekly', 'monthly'] as const) {
    const periods = new Set<number>()
    for (const { name, time } of backups) {
      const period = periodsOf(time)[kind]
      if (periods.has(period)) continue
      if (periods.size >= retention[kind]) break
      periods.add(period)
      retained.add(name)
    }
  }
  return backups.flatMap(({ name }) => (retained.has(name) ? [] : name)).toSorted()
}

/** The hours in Madrid in which backups are made: from, to (exclusive). */
const NIGHT_HOURS = [4, 7] as const
const madridHour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Madrid', hour: '2-digit', hourCycle: 'h23' })

/**
 * Whether a backup is due: at night, unless one was made in the last 20 hours; by day only where nights were missed (a
 * machine that sleeps at night) and the server has been up for an hour, so that it does not slow the start. Backups with a
 * time in the future, from a wrong clock, do not count.
 * @param times the times of the existing backups, ms
 */
export function isBackupDue(now: number, times: readonly number[], uptimeMs: number): boolean {
  const wasMadeWithin = (ms: number) => times.some((time) => time <= now && now - time < ms)
  const hour = Number(madridHour.format(now))
  if (hour >= NIGHT_HOURS[0] && hour < NIGHT_HOURS[1]) return !wasMadeWithin(20 * HOUR_MS)
  return uptimeMs >= HOUR_MS && !wasMadeWithin(36 * HOUR_MS)
}
