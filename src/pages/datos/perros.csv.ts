export { serveCsv as GET } from '#features/opendata/opendata.http.ts'
