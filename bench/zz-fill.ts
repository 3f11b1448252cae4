import { keptCommunity } from './lib/kept.ts'
for (const n of [1000, 100_000, 1_000_000]) console.log(n, await keptCommunity(n), new Date().toISOString())
process.exit(0)
