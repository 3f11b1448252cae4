import type { Trx as Db } from '#db/client.ts'
import { percentilesOf } from '#tests/support/load/measure.ts'
import { sendAtRate, sendRequest } from './constant-rate.ts'
import type { BenchWorld } from './signed-in-members.ts'

export const LIKES_PER_SECOND = 500
const WARMUP_LIKES = 200
/** Likes as fast as the server takes them, and how many at once. */
const UNPACED_LIKES = 4000
const CONCURRENCY = 32

/** Likes over HTTP, each of a member and a dog of its own: at a steady rate, each at its own time, then as many as the server takes. */
export async function measureLikes(
  url: string,
  { dogs, cookies }: BenchWorld,
  db: Db,
  seconds: number,
): Promise<Record<string, string | number>> {
  const like = (n: number) =>
    sendRequest(
      `${url}/api/dogs/${dogs[(Math.floor(n / cookies.length) + n) % dogs.length]!.id}/like`,
      'PUT',
      cookies[n % cookies.length],
    ).then(() => {})
  const before = await countLikes(db)
  for (let n = 0; n < WARMUP_LIKES; n++) await like(n)
  const steady = await sendAtRate(LIKES_PER_SECOND, seconds, (n) => like(n + WARMUP_LIKES))
  let next = WARMUP_LIKES + LIKES_PER_SECOND * seconds
  const end = next + UNPACED_LIKES
  const start = performance.now()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < end) await like(next++)
    }),
  )
  const unpaced = UNPACED_LIKES / ((performance.now() - start) / 1000)
  const after = await countLikes(db)
  const { median, p99 } = percentilesOf(steady.times)
  const added = Object.entries(after).map(([name, count]) => count - (before[name] ?? 0))
  return {
    'asked for a second': LIKES_PER_SECOND,
    'answered a second': steady.times.length / steady.seconds,
    failed: steady.failures,
    'median ms': median,
    'p99 ms': p99,
    [`a second without pause, ${CONCURRENCY} at once`]: unpaced,
    [`likes given and ${Object.keys(after).join(', ')}`]: [end - steady.failures, ...added].join(', '),
  }
}

/** The same likes, counted in five places; those that were given before are none of them. */
async function countLikes(db: Db): Promise<Record<string, number>> {
  const read = async (query: { executeTakeFirstOrThrow: () => Promise<{ n: number | string | null }> }) =>
    Number((await query.executeTakeFirstOrThrow()).n)
  return {
    rows: await read(db.selectFrom('dog_likes').select(({ fn }) => fn.countAll<number>().as('n'))),
    votes: await read(db.selectFrom('dogs').select(({ fn }) => fn.sum<number>('votes').as('n'))),
    tallies: await read(db.selectFrom('dog_tallies').select(({ fn }) => fn.sum<number>('likes').as('n'))),
    profiles: await read(db.selectFrom('profiles').select(({ fn }) => fn.sum<number>('likes_count').as('n'))),
    hours: await read(db.selectFrom('like_hour_tallies').select(({ fn }) => fn.sum<number>('likes').as('n'))),
  }
}
