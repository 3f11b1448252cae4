/** An expected failure of backup, restore, doctor or move; `message` is one Spanish sentence for the operator. */
export class MaintenanceError extends Error {}

/** A backup's name: its time in UTC, valid on every file system, and in order of time when sorted. */
export const backupName = (time: number): string => `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

const BACKUP_NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/

/** The time of the backup with that name, ms; null for any other name (an unfinished backup's ends in `.part`). */
export function backupTime(name: string): number | null {
  const [, day, h, m, s] = BACKUP_NAME.exec(name) ?? []
  const time = day ? Date.parse(`${day}T${h}:${m}:${s}Z`) : NaN
  return Number.isNaN(time) ? null : time
}

/** Free space that a backup leaves on the disk, bytes: a full disk would stop the site. */
export const BACKUP_FREE_MARGIN_BYTES = 64 * 1024 * 1024

/** Formats a size in Spanish: «3,4 MB». */
export function formatBytes(bytes: number): string {
  const unit = Math.min(4, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** unit
  const text = value.toLocaleString('es-ES', { maximumFractionDigits: unit === 0 || value >= 100 ? 0 : 1 })
  return `${text} ${['B', 'kB', 'MB', 'GB', 'TB'][unit]}`
}

/** Formats a count with its noun: «1 foto», «3 fotos». */
export const formatPlural = (count: number, singular: string, plural: string): string =>
  `${count.toLocaleString('es-ES')} ${count === 1 ? singular : plural}`
