import { readdirSync, readFileSync } from 'node:fs'

const PAGE = 4096

/** The resident memory of a process and all it has started, bytes. Linux only: 0 elsewhere. */
export function residentOfTree(root: number): number {
  const parents = new Map<number, number>()
  try {
    for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const [, parent] = read(`/proc/${name}/stat`)?.split(') ').at(-1)?.split(' ') ?? []
      if (parent) parents.set(Number(name), Number(parent))
    }
  } catch {
    return 0
  }
  const isOurs = (pid: number | undefined): boolean => pid === root || (!!pid && isOurs(parents.get(pid)))
  return [...parents.keys()]
    .filter(isOurs)
    .reduce((sum, pid) => sum + Number(read(`/proc/${pid}/statm`)?.split(' ')[1] ?? 0) * PAGE, 0)
}

/** A process may end while it is looked at. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
}
