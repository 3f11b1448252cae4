import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { eraseRows } from '#features/account/personal-data/erase-rows.server.ts'
import { addMemberGuess, readMemberGames, readMemberGuesses } from '#features/riddle/member-guesses.server.ts'
import { addVisitorGuess, visitorGames } from '#features/riddle/players.server.ts'
import { addDays } from '#features/riddle/riddle.ts'
import { findRiddle } from '#features/riddle/riddles.server.ts'
import { takeOverGames } from '#features/riddle/take-over.server.ts'
import { MAX_GAMES } from '#features/riddle/visitor-games.server.ts'
import { assert, dataSuite, member, refusalOf } from '#tests/support/suites.ts'

const guesses = dataSuite('unit/riddle/guesses', { ana: member() }, async ({ db, dir }) => {
  const catalogue = await getCatalogue(db)
  const riddle = await findRiddle(db, dir, '2026-11-20', Date.parse('2026-11-26T12:00:00Z'))
  /** Breeds that are not the answer. */
  const wrong = catalogue.breeds.map(({ slug }) => slug).filter((slug) => slug !== riddle.breed_slug)
  return { catalogue, riddle, wrong }
})

guesses('a member has six guesses, each breed once', async ({ db, ana, riddle, wrong }) => {
  const repeated = '409 Esa raza ya la has probado. Prueba con otra.'
  for (const slug of wrong.slice(0, 6)) {
    assert.is(await refusalOf(addMemberGuess(db, ana.id, riddle, slug)), 'accepted')
    if (slug === wrong[0]) assert.is(await refusalOf(addMemberGuess(db, ana.id, riddle, slug)), repeated)
  }
  const finished = '409 Este reto ya ha terminado: eran seis intentos.'
  assert.is(await refusalOf(addMemberGuess(db, ana.id, riddle, riddle.breed_slug)), finished)
  assert.equal(await readMemberGuesses(db, ana.id, riddle.day), wrong.slice(0, 6))
  assert.equal(await readMemberGames(db, ana.id), new Map([[riddle.day, 'lost']]))
  await eraseRows(db, ana.id)
  assert.equal(await readMemberGuesses(db, ana.id, riddle.day), [])
})

guesses('the game ends where the breed is found', async ({ db, ana, riddle, wrong }) => {
  await addMemberGuess(db, ana.id, riddle, wrong[0]!)
  await addMemberGuess(db, ana.id, riddle, riddle.breed_slug)
  assert.is(await refusalOf(addMemberGuess(db, ana.id, riddle, wrong[1]!)), '409 Este reto ya lo has resuelto.')
  assert.equal(await readMemberGames(db, ana.id), new Map([[riddle.day, 'won']]))
})

guesses('of many tabs at once six guesses are stored', async ({ db, ana, riddle, wrong }) => {
  const answers = await Promise.all(
    wrong.slice(0, 9).map((slug) => refusalOf(addMemberGuess(db, ana.id, riddle, slug))),
  )
  assert.is(answers.filter((each) => each === 'accepted').length, 6)
  assert.is(answers.filter((each) => each.startsWith('409 ')).length, 3)
  assert.is((await readMemberGuesses(db, ana.id, riddle.day)).length, 6)
})

guesses('a visitor’s guesses are in a signed cookie', async ({ db, catalogue, riddle, wrong }) => {
  let cookie: string | undefined
  for (const slug of wrong.slice(0, 3)) ({ cookie } = await addVisitorGuess(db, catalogue, cookie, riddle, slug))
  assert.match(cookie!, /^[\w.~-]+$/)
  const read = (text: string | undefined) =>
    visitorGames(db, catalogue, text, riddle.day).then((games) => games.guesses)
  assert.equal(await read(cookie), wrong.slice(0, 3))
  const [day, , signature] = cookie!.split('.')
  const sixth = catalogue.bySlug.get(wrong[7]!)!.number.toString(36)
  for (const forged of [
    undefined,
    '',
    'x',
    `${day}.${sixth}.${signature}`,
    cookie!.slice(0, -1) + (cookie!.endsWith('x') ? 'y' : 'x'),
    `zzz${cookie!.slice(3)}`,
    '~'.repeat(5000),
  ])
    assert.equal(await read(forged), [], forged)
  assert.equal(await read(`nada~${cookie}`), wrong.slice(0, 3), 'what is not signed is left out')
})

guesses('the cookie keeps the twenty games that were played last', async ({ db, dir, catalogue, wrong }) => {
  let cookie: string | undefined
  for (let i = 0; i < MAX_GAMES + 5; i++) {
    const day = addDays('2026-11-01', i)
    const riddle = await findRiddle(db, dir, day, Date.parse('2027-11-26T12:00:00Z'))
    const unlucky = wrong.filter((slug) => slug !== riddle.breed_slug).slice(-6)
    for (const slug of unlucky) ({ cookie } = await addVisitorGuess(db, catalogue, cookie, riddle, slug))
  }
  const { states } = await visitorGames(db, catalogue, cookie, '2026-11-25')
  assert.is(states.size, MAX_GAMES)
  assert.equal(
    [states.get('2026-11-05'), states.get('2026-11-06'), states.get('2026-11-25')],
    [undefined, 'lost', 'lost'],
  )
  assert.ok(cookie!.length < 900, String(cookie!.length))
})

guesses('a sign-in takes a visitor’s games over, and leaves the member’s own as they are', async (t) => {
  const { db, dir, ana, catalogue, riddle, wrong } = t
  const other = await findRiddle(db, dir, '2026-11-19', Date.parse('2026-11-26T12:00:00Z'))
  const unlucky = wrong.filter((slug) => slug !== other.breed_slug)
  let cookie: string | undefined
  for (const slug of unlucky.slice(0, 3)) ({ cookie } = await addVisitorGuess(db, catalogue, cookie, riddle, slug))
  for (const slug of [unlucky[5]!, other.breed_slug])
    ({ cookie } = await addVisitorGuess(db, catalogue, cookie, other, slug))
  await addMemberGuess(db, ana.id, riddle, unlucky[9]!)
  assert.is(await takeOverGames(db, catalogue, cookie, ana.id), 1)
  assert.equal(await readMemberGuesses(db, ana.id, riddle.day), [unlucky[9]])
  assert.equal(await readMemberGuesses(db, ana.id, other.day), [unlucky[5], other.breed_slug])
  assert.equal((await readMemberGames(db, ana.id)).get(other.day), 'won')
  assert.is(await takeOverGames(db, catalogue, cookie, ana.id), 0, 'a second time there is nothing left')
  for (const nothing of [undefined, '', 'x', `${cookie!.slice(0, -1)}~`])
    assert.is(await takeOverGames(db, catalogue, nothing, ana.id), 0, nothing)
})

guesses('of two sign-ins at once one takes the games over', async ({ db, ana, catalogue, riddle, wrong }) => {
  const { cookie } = await addVisitorGuess(db, catalogue, undefined, riddle, wrong[0]!)
  const taken = await Promise.all([0, 1, 2].map(() => takeOverGames(db, catalogue, cookie, ana.id)))
  assert.is(
    taken.reduce((sum, each) => sum + each, 0),
    1,
  )
  assert.equal(await readMemberGuesses(db, ana.id, riddle.day), [wrong[0]])
})
