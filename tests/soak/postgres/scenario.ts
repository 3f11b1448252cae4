import { availableParallelism } from 'node:os'
import { createTestRunner, runAlone } from '../../../scripts/lib/test-files.mjs'
import { seededRandom } from '#tests/soak/kills/scenario.ts'
import { listFiles } from '#tests/support/sources.ts'

export interface PostgresTestReport {
  /** Files that were run, of all there are. */
  files: number
  total: number
  passed: number
  /** Files that failed twice, the second time alone. */
  failures: string[]
}

/** All cases of every file, each database on one PostgreSQL. */
const ENV = { TESTS_DATABASE: 'postgres', TESTS: 'whole', TESTS_PID: String(process.pid) }

/**
 * Runs the unit and API tests on PostgreSQL, as many files at a time as there are cores.
 * @param options `until`: no file begins after this; `seed` orders the files, so that a shorter run is another sample each time
 */
export async function runPostgresTests(options: {
  until: number
  seed: number
  onFile?: (done: number) => void
}): Promise<PostgresTestReport> {
  const chance = seededRandom(options.seed)
  const files = listFiles(['tests/unit', 'tests/api'], ['.test.ts'])
    .map((file) => ({ file, rank: chance() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ file }) => file)
  const queue = files.values()
  const report: PostgresTestReport = { files: 0, total: files.length, passed: 0, failures: [] }
  const failed: string[] = []
  const count = ({ file, good, bad }: { file: string; good: number; bad: number }) => {
    report.passed += good
    if (bad) failed.push(file)
  }
  const run = async () => {
    const runner = createTestRunner({ env: ENV })
    for (const file of queue) {
      for (const result of await runner.run(file)) count(result)
      options.onFile?.(++report.files)
      if (Date.now() > options.until) break
    }
    for (const result of await runner.close()) count(result)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, run))
  // Files that run at the same time slow each other down, and timeouts expire: the second result, alone, counts.
  for (const file of failed) {
    if (!file.endsWith('.test.ts') || (await runAlone(file, ENV)).bad) report.failures.push(`${file} on PostgreSQL`)
  }
  return report
}
