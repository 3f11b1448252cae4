export { beginRound as POST } from '#features/riddle/round/round.http.ts'
