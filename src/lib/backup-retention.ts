/** How many backups are retained: the newest of each of the last days, weeks (from Monday) and months that have one. */
export interface BackupRetention {
  daily: number
  weekly: number
  monthly: number
}

/** Parses the setting BACKUPS: «7,4,6» is days, weeks and months, and a missing number is 0. «off» is null. */
export function parseBackupRetention(text: string): BackupRetention | null {
  if (text === 'off') return null
  const [daily = 0, weekly = 0, monthly = 0] = text.split(',').map(Number)
  return { daily, weekly, monthly }
}
