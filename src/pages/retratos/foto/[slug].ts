export { serveOperatorPhoto as GET } from '#features/album/operator-photo.http.ts'
