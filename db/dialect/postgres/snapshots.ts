/**
 * Which transactions somebody sees, as `pg_current_snapshot` says it
 * (https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT): all below `xmax` but those in progress.
 */
export interface Snapshot {
  xmax: bigint
  /** Below `xmax`, in ascending order. */
  inProgress: readonly bigint[]
}

/** Longer positions leave out the transactions in progress: they are a cookie. */
const MAX_POSITION_CHARS = 400
const POSITION = /^\d{1,19}(?:\.\d{1,19})*$/

/** Parses PostgreSQL's own text, `xmin:xmax:xip,xip`. */
export function parseSnapshot(text: string): Snapshot {
  const [, xmax = '0', list = ''] = text.split(':')
  return { xmax: BigInt(xmax), inProgress: list === '' ? [] : list.split(',').map(BigInt) }
}

/** Whether `mine` sees all that `other` sees. */
export function includesSnapshot(mine: Snapshot, other: Snapshot): boolean {
  if (other.xmax > mine.xmax) return false
  return mine.inProgress.every((xid) => xid >= other.xmax || other.inProgress.includes(xid))
}

/**
 * The snapshot as a position: `xmax.xip.xip`, in characters that cookies take. Where many transactions are in progress the position
 * requires all of them to be visible, which is more than needed and never less.
 */
export function toPosition({ xmax, inProgress }: Snapshot): string {
  const text = [xmax, ...inProgress].join('.')
  return text.length > MAX_POSITION_CHARS ? String(xmax) : text
}

/** Whether a text may be a position. It may still be one that no node gave. */
export const isPosition = (text: string): boolean => text.length <= MAX_POSITION_CHARS && POSITION.test(text)

/** Reads a text of `toPosition`. */
export function parsePosition(position: string): Snapshot {
  const [xmax = 0n, ...inProgress] = position.split('.').map(BigInt)
  return { xmax, inProgress }
}
