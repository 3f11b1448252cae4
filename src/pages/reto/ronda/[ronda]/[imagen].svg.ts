export { serveSticker as GET } from '#features/riddle/round/round.http.ts'
