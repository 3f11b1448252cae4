export { serveOpenApi as GET } from '#features/opendata/openapi.http.ts'
