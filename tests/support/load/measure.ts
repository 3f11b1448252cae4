/** What a series of timings says, milliseconds. */
export interface Percentiles {
  median: number
  p99: number
}

export function percentilesOf(times: number[]): Percentiles {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { median: at(0.5), p99: at(0.99) }
}

/** Resident memory of a process, MB. */
export const residentMB = (pid: number): Promise<number> => readStatusMB(pid, 'VmRSS')

/** The most it ever was. */
export const peakMB = (pid: number): Promise<number> => readStatusMB(pid, 'VmHWM')

/** Processor time that a process has used since it started, all its threads together, seconds; 0 where /proc is not there. */
export async function cpuSeconds(pid: number): Promise<number> {
  const { readFile } = await import('node:fs/promises')
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name, in brackets, may hold spaces; behind it come state, and eleven fields on the ticks, a hundred a second.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}

async function readStatusMB(pid: number, name: string): Promise<number> {
  const { readFile } = await import('node:fs/promises')
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
}

/** Statements that a scrape of /metrics sends itself (src/app/feature-gauges.ts). The next scrape counts them. */
export const STATEMENTS_PER_SCRAPE = 3

/** Prints rows as a Markdown table, ready for tests/bench/README.md. */
export function printTable(head: string[], rows: (string | number)[][]): void {
  console.log(`| ${head.join(' | ')} |\n| ${head.map((_, i) => (i ? '---:' : '---')).join(' | ')} |`)
  for (const row of rows)
    console.log(`| ${row.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell)).join(' | ')} |`)
}
