export { serveGeoFile as GET } from '#features/map/map.http.ts'
