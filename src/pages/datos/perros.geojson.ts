export { geojson as GET } from '#features/opendata/opendata.http.ts'
