export { guessBreed as POST } from '#features/riddle/riddle.http.ts'
