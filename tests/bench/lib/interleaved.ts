/** Servers measured turn about, so that whatever else the machine does falls on all of them. */
import { spawnSync } from 'node:child_process'
import { cpuSeconds } from '#tests/support/load/measure.ts'
import { type LoadFigures, sendLoad, buildRequest } from './socket-load.ts'

export interface Contender {
  name: string
  url: string
  pid: number
  paths: string[]
  headers: Record<string, string>
}

export interface Measurement extends LoadFigures {
  contender: string
  /** Answers for a second of the server's processor time, all its threads: a busy machine hardly changes it. */
  perProcessor: number
}

const ROUNDS = 3
/** Rounds before those: code that runs for the first time runs several times as slow. */
const WARMUP_ROUNDS = 3
const ROUND_SECONDS = 1

/** Keeps a process to one processor, or to some (`0-1`), where Linux has taskset: server and load then do not push each other about. */
export function pinToCpu(pid: number, cpu: number | string): void {
  spawnSync('taskset', ['-acp', String(cpu), String(pid)])
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Of each contender the medians of its rounds, after some for warmth. @throws where one answers with an error */
export async function measureInterleaved(contenders: readonly Contender[]): Promise<Measurement[]> {
  const rounds = new Map<string, Measurement[]>(contenders.map(({ name }) => [name, []]))
  for (let round = -WARMUP_ROUNDS; round < ROUNDS; round++)
    for (const { name, url, pid, paths, headers } of contenders) {
      const requests = paths.map((path) => buildRequest('GET', path, headers))
      const before = await cpuSeconds(pid)
      const answered = await sendLoad(url, (n) => requests[n % requests.length]!, { seconds: ROUND_SECONDS })
      const used = (await cpuSeconds(pid)) - before
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
