export { serveCard as GET } from '#features/share/share.http.ts'
