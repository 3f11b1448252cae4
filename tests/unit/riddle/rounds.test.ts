import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { breedBySlug } from '#features/breeds/catalogue.server.ts'
import { drawQuestions } from '#features/riddle/round/questions.server.ts'
import { createSeed, readRound, writeRound } from '#features/riddle/round/round-token.server.ts'
import { findSticker, toRoundView } from '#features/riddle/round/round-view.server.ts'
import { LEVELS, type Level, type Round } from '#features/riddle/round/round.ts'
import { wellKnownSlugs } from '#features/riddle/draw.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { assert, folderSuite } from '#tests/support/suites.ts'

const rounds = folderSuite('unit/riddle/rounds')

const begin = (level: Level): Round => ({ level, seed: createSeed(), answers: [] })
const groupOf = (slug: string) => breedBySlug(slug)!.fci_grupo

for (const level of LEVELS)
  rounds(`a round of level ${level} has ten questions with four breeds each, none looked for twice`, ({ dir }) => {
    for (let i = 0; i < 20; i++) {
      const questions = drawQuestions(dir, begin(level))
      assert.is(questions.length, 10)
      assert.is(new Set(questions.map(({ options, right }) => options[right])).size, 10)
      for (const { options, right } of questions) {
        assert.is(new Set(options).size, 4, options.join())
        assert.not.ok(options.includes('mestizo'))
        assert.ok(right >= 0 && right < 4)
      }
      assert.is(questions.filter(({ asks }) => asks === 'breed').length, 5)
    }
  })

rounds('easy rounds have well-known breeds of four groups, hard ones rare breeds of one', ({ dir }) => {
  const wellKnown = new Set(wellKnownSlugs)
  for (let i = 0; i < 20; i++) {
    for (const { options } of drawQuestions(dir, begin('facil'))) {
      assert.ok(options.every((slug) => wellKnown.has(slug)))
      assert.is(new Set(options.map(groupOf)).size, 4, options.join())
    }
    for (const { options } of drawQuestions(dir, begin('dificil'))) {
      assert.not.ok(options.some((slug) => wellKnown.has(slug)))
      assert.is(new Set(options.map(groupOf)).size, 1, options.join())
    }
  }
})

rounds('the right answer stands in every place, and seeds make other rounds', ({ dir }) => {
  const places = [0, 0, 0, 0]
  for (let i = 0; i < 40; i++) for (const { right } of drawQuestions(dir, begin('normal'))) places[right]!++
  assert.ok(
    places.every((count) => count > 50),
    places.join(),
  )
  const round = begin('normal')
  assert.equal(drawQuestions(dir, round), drawQuestions(dir, round))
  assert.not.equal(drawQuestions(dir, round), drawQuestions(dir, begin('normal')))
  const other = mkdtempSync(join(dir, 'otro-'))
  assert.not.equal(drawQuestions(other, round), drawQuestions(dir, round), 'without the key nobody computes them')
})

rounds('a token is read as it was written, and no other', ({ dir }) => {
  const round = { ...begin('dificil'), answers: [3, 0, 2] }
  const token = writeRound(dir, round)
  assert.equal(readRound(dir, token), round)
  const forged = [
    undefined,
    '',
    token.slice(0, -1),
    `${token}1`,
    `f${token.slice(1)}`,
    `x${token.slice(1)}`,
    `${token.slice(0, -1)}1`,
    `${token.slice(0, -1)}4`,
    'f'.repeat(5000),
  ]
  for (const text of forged) assert.is(readRound(dir, text), null, String(text).slice(0, 60))
})

rounds('no question says its answer, and the answers say it afterwards', async ({ dir }) => {
  const catalogue = await getCatalogue(freshDb())
  for (const level of LEVELS) {
    let round = begin(level)
    const questions = drawQuestions(dir, round)
    let score = 0
    for (const [i, { options, right, asks }] of questions.entries()) {
      const view = toRoundView(dir, round, catalogue)
      const question = view.question!
      assert.equal([question.number, question.asks, view.answered.length], [i + 1, asks, i])
      const slug = options[right]!
      const name = catalogue.bySlug.get(slug)!.nombre_castellano
      const pictures = [question.picture, ...question.options.map(({ picture }) => picture)].filter(
        (each) => each !== null,
      )
      assert.is(pictures.length, asks === 'breed' ? 1 : 4)
      for (const { src, alt } of pictures) {
        assert.not.ok(src.includes(slug), src)
        assert.not.ok(alt.toLowerCase().includes(name.toLowerCase()), alt)
        const svg = findSticker(dir, readRound(dir, src.split('/')[3])!, /([^/]+)\.svg$/.exec(src)![1]!)!
        assert.match(svg, /^<svg/)
        assert.not.ok(svg.toLowerCase().includes(name.toLowerCase()))
      }
      assert.is(question.name, asks === 'sticker' ? name : null)
      const answer = i % 3 === 0 ? (right + 1) % 4 : right
      if (answer === right) score++
      round = { ...round, answers: [...round.answers, answer] }
      const last = toRoundView(dir, round, catalogue).answered.at(-1)!
      assert.equal([last.isRight, last.right.slug, last.chosen.slug], [answer === right, slug, options[answer]])
    }
    const over = toRoundView(dir, round, catalogue)
    assert.equal([over.question, over.answered.length, over.score], [null, 10, score])
  }
})

rounds('a question has the stickers that it shows, and no others', ({ dir }) => {
  const round = begin('facil')
  drawQuestions(dir, round).forEach(({ asks }, i) => {
    const names = ['', 'a', 'b', 'c', 'd', 'e'].map((letter) => `${i + 1}${letter}`)
    const found = names.map((name) => findSticker(dir, round, name) !== undefined)
    assert.equal(
      found,
      asks === 'breed' ? [true, false, false, false, false, false] : [false, true, true, true, true, false],
    )
  })
  for (const name of ['', '0', '11', '-1', '1.5', 'x', '01', '1%00'])
    assert.is(findSticker(dir, round, name), undefined, name)
})
