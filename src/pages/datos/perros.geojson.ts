export { serveGeoJson as GET } from '#features/opendata/opendata.http.ts'
