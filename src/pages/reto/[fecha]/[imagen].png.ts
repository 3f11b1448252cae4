export { servePicture as GET } from '#features/riddle/riddle.http.ts'
