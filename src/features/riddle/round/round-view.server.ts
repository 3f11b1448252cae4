import type { Catalogue } from '#features/breeds/current-catalogue.server.ts'
import { portraitFile } from '#features/breeds/portraits.server.ts'
import { portraitText } from '#features/riddle/clues.ts'
import { drawQuestions, type Question } from './questions.server.ts'
import { roundPaths } from './round-paths.ts'
import { writeRound } from './round-token.server.ts'
import { type BreedLink, isRoundOver, type Picture, type QuestionView, type Round, type RoundView } from './round.ts'

const LETTERS = ['a', 'b', 'c', 'd'] as const

const toLink = (slug: string, { bySlug }: Catalogue): BreedLink => ({
  slug,
  name: bySlug.get(slug)?.nombre_castellano ?? slug,
})

/** The stickers of a question, by the part of their address that names them: one that is asked about, or four to choose from. */
function stickersOf({ asks, options, right }: Question, number: number): Map<string, string> {
  if (asks === 'breed') return new Map([[String(number), options[right]!]])
  return new Map(options.map((slug, i) => [`${number}${LETTERS[i]}`, slug]))
}

function toQuestionView(question: Question, number: number, token: string, catalogue: Catalogue): QuestionView {
  const pictures = [...stickersOf(question, number)].map(([name, slug], i, { length }): Picture => ({
    src: roundPaths.picture(token, name),
    alt: `${length > 1 ? `Cromo ${LETTERS[i]!.toUpperCase()}` : 'El cromo'}: ${portraitText(catalogue.bySlug.get(slug)!)}`,
  }))
  const isBreed = question.asks === 'breed'
  return {
    number,
    asks: question.asks,
    name: isBreed ? null : toLink(question.options[question.right]!, catalogue).name,
    picture: isBreed ? pictures[0]! : null,
    options: question.options.map((slug, i) =>
      isBreed ? { name: toLink(slug, catalogue).name, picture: null } : { name: null, picture: pictures[i]! },
    ),
  }
}

/** A round as its player may see it: nothing in it says what is right before they have answered. */
export function toRoundView(dataDir: string, round: Round, catalogue: Catalogue): RoundView {
  const questions = drawQuestions(dataDir, round)
  const answered = round.answers.map((answer, i) => {
    const { options, right } = questions[i]!
    return {
      isRight: answer === right,
      right: toLink(options[right]!, catalogue),
      chosen: toLink(options[answer]!, catalogue),
    }
  })
  const at = round.answers.length
  return {
    token: writeRound(dataDir, round),
    level: round.level,
    score: answered.filter(({ isRight }) => isRight).length,
    question: isRoundOver(round)
      ? null
      : toQuestionView(questions[at]!, at + 1, writeRound(dataDir, { ...round, answers: [] }), catalogue),
    answered,
  }
}

/** The sticker of an address as SVG text; undefined where none has it. */
export function findSticker(dataDir: string, round: Round, name: string): string | undefined {
  const number = Number.parseInt(name, 10)
  const question = drawQuestions(dataDir, round)[number - 1]
  const slug = question && stickersOf(question, number).get(name)
  return slug === undefined ? undefined : portraitFile(slug)
}
