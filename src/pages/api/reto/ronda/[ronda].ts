export { answerRound as POST } from '#features/riddle/round/round.http.ts'
