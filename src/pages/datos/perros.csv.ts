export { csv as GET } from '#features/opendata/opendata.http.ts'
