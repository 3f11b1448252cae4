export { serveImages as GET } from '#features/breeds/data-files.http.ts'
