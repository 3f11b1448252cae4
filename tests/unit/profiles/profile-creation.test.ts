import { ensureUser } from '#features/auth/users.server.ts'
import { countProfiles, ensureProfile } from '#features/profiles/profiles.server.ts'
import { assert, dbSuite } from '#tests/support/suites.ts'

const profiles = dbSuite('unit/profiles/profile-creation')

profiles('a new profile is Perrit and a number below 100000, with an emoji, unverified', async ({ db }) => {
  const { id } = await ensureUser(db, 'ana@ejemplo.es')
  const profile = await ensureProfile(db, id)
  assert.match(profile.alias, /^Perrit\d{1,5}$/)
  assert.match(profile.emoji, /\p{Extended_Pictographic}/u)
  assert.is(profile.verified, false)
})

profiles('a profile is created once: later and simultaneous loads find the same', async ({ db }) => {
  const { id } = await ensureUser(db, 'ana@ejemplo.es')
  const all = await Promise.all(Array.from({ length: 8 }, () => ensureProfile(db, id)))
  assert.is(new Set(all.map((p) => p.alias)).size, 1)
  assert.is((await ensureProfile(db, id)).alias, all[0]!.alias)
  assert.is(await countProfiles(db), 1)
})

profiles('tries ten numbers, then uses the time as its number', async ({ db }) => {
  const { id } = await ensureUser(db, 'ana@ejemplo.es')
  const busy = await ensureUser(db, 'bea@ejemplo.es')
  let tried = 0
  const number = () => {
    tried++
    return 4821
  }
  assert.is((await ensureProfile(db, busy.id, 1_790_000_000_000, number)).alias, 'Perrit4821')
  tried = 0
  assert.is((await ensureProfile(db, id, 1_790_000_000_000, number)).alias, 'Perrit1790000000000')
  assert.is(tried, 10)
})
