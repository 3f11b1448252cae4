/** Servers measured turn about, so that whatever else the machine does falls on all of them. */
import { spawnSync } from 'node:child_process'
import { processorSeconds } from './measure.ts'
import { type Answered, hammer, wire } from './sockets.ts'

export interface Contender {
  name: string
  url: string
  pid: number
  paths: string[]
  headers: Record<string, string>
}

export interface Turn extends Answered {
  contender: string
  /** Answers for a second of the server's processor time, all its threads: a busy machine hardly changes it. */
  perProcessor: number
}

const ROUNDS = 3
/** Rounds before those: code that runs for the first time runs several times as slow. */
const WARM = 3
const SECONDS = 1

/** Keeps a process to one processor, where Linux has taskset: server and load then do not push each other about. */
export function pin(pid: number, cpu: number): void {
  spawnSync('taskset', ['-acp', String(cpu), String(pid)])
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Of each contender the medians of its rounds, after some for warmth. @throws where one answers with an error */
export async function takeTurns(contenders: readonly Contender[]): Promise<Turn[]> {
  const rounds = new Map<string, Turn[]>(contenders.map(({ name }) => [name, []]))
  for (let round = -WARM; round < ROUNDS; round++)
    for (const { name, url, pid, paths, headers } of contenders) {
      const requests = paths.map((path) => wire('GET', path, headers))
      const before = await processorSeconds(pid)
      const answered = await hammer(url, (n) => requests[n % requests.length]!, { seconds: SECONDS })
      const used = (await processorSeconds(pid)) - before
      if (answered.failures) throw new Error(`${name}: ${answered.failures} of ${answered.count} failed, ${paths[0]}`)
      if (round >= 0) rounds.get(name)!.push({ contender: name, perProcessor: answered.count / used, ...answered })
    }
  return [...rounds].map(([contender, turns]) => {
    const of = (key: 'rate' | 'perProcessor' | 'median' | 'p99' | 'bytes') => median(turns.map((turn) => turn[key]))
    return {
      ...turns[0]!,
      contender,
      rate: of('rate'),
      perProcessor: of('perProcessor'),
      median: of('median'),
      p99: of('p99'),
      bytes: of('bytes'),
    }
  })
}
