export { document as GET } from '#features/opendata/openapi.http.ts'
