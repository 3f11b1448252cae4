import { readdir, readFile } from 'node:fs/promises'
import { residentMB } from './measure.ts'

/** Memory of a process and of all that it has started, MB; pages that two of them share count twice. 0 where /proc is not there. */
export async function treeMB(pid: number): Promise<number> {
  const children = new Map<number, number[]>()
  for (const name of await readdir('/proc').catch((): string[] => [])) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // The name, in brackets, may hold spaces; behind it come the state and the parent.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [pid]
  for (const each of tree) tree.push(...(children.get(each) ?? []))
  return (await Promise.all(tree.map(residentMB))).reduce((sum, mb) => sum + mb, 0)
}
