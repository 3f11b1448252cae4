import { readdirSync, readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/** A process and all it has started, by id. Linux only: none elsewhere. */
export function listProcessTree(root: number): number[] {
  const parents = new Map<number, number>()
  try {
    for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const [, parent] = readOrUndefined(`/proc/${name}/stat`)?.split(') ').at(-1)?.split(' ') ?? []
      if (parent) parents.set(Number(name), Number(parent))
    }
  } catch {
    return []
  }
  const isOurs = (pid: number | undefined): boolean => pid === root || (!!pid && isOurs(parents.get(pid)))
  return [...parents.keys()].filter(isOurs)
}

/** The resident memory of a process and all it has started, bytes. Linux only: 0 elsewhere. */
export const residentTreeBytes = (root: number): number =>
  listProcessTree(root).reduce(
    (sum, pid) => sum + Number(readOrUndefined(`/proc/${pid}/statm`)?.split(' ')[1] ?? 0) * PAGE_BYTES,
    0,
  )

/** Whether a process goes on: one that has ended stays listed (`Z`) until its parent takes notice. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return readOrUndefined(`/proc/${pid}/stat`)?.split(') ').at(-1)?.[0] !== 'Z'
}

/** A process may end while it is looked at. */
function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
}
