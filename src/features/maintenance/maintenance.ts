/** A foreseeable failure of backup, restore or doctor; `message` is one Spanish sentence for the operator. */
export class MaintenanceError extends Error {}

/** How many backups stay: the newest of each of the last days, weeks (from Monday) and months that have one. */
export interface BackupRetention {
  daily: number
  weekly: number
  monthly: number
}

/** A backup's name: its time in UTC, valid on every file system and sorting by time. */
export const backupName = (time: number): string => `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

const BACKUP_NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/

/** When the backup of that name was made, ms; null for any other name (one under way ends in `.part`). */
export function backupTime(name: string): number | null {
  const [, day, h, m, s] = BACKUP_NAME.exec(name) ?? []
  const time = day ? Date.parse(`${day}T${h}:${m}:${s}Z`) : NaN
  return Number.isNaN(time) ? null : time
}

/** «3,4 MB», as Spanish writes it. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const text = value.toLocaleString('es-ES', { maximumFractionDigits: unit === 0 || value >= 100 ? 0 : 1 })
  return `${text} ${units[unit]}`
}

/** «1 foto», «3 fotos». */
export const formatPlural = (n: number, one: string, more: string): string =>
  `${n.toLocaleString('es-ES')} ${n === 1 ? one : more}`
